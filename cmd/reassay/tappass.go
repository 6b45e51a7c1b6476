package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/url"

	"github.com/spf13/cobra"

	"reassay/tap"
	"reassay/workers"
)

// tapPassFlags say what a tap passes, from where to where.
type tapPassFlags struct {
	listen    []string
	upstreams []string
	cert, key string
	callers   string
	authority string
	h2c       bool
	tls       *tls.Config // of the listeners; nil: none
}

// tapHop is one address and what stands behind it.
type tapHop struct {
	listen   string
	upstream *url.URL
}

func (f *tapPassFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVar(&f.listen, "listen", nil, "address to take requests on, 127.0.0.1:8080; one that other machines reach needs --listen-cert. It may be given several times, each with an --upstream of its own")
	flags.StringArrayVar(&f.upstreams, "upstream", nil, "http or https URL that everything is passed to; its path, if any, comes before that of each request")
	flags.StringVar(&f.cert, "listen-cert", "", "PEM file of the certificate to take requests with over TLS, with HTTP/2 for callers who ask for it")
	flags.StringVar(&f.key, "listen-key", "", "PEM file of that certificate's key")
	flags.StringVar(&f.callers, "listen-client-ca", "", "PEM file of the authorities of which callers must show a certificate; without it nobody must")
	flags.StringVar(&f.authority, "upstream-ca", "", "PEM file of the authorities that may have signed an https upstream's certificate; the system's unless given")
	flags.BoolVar(&f.h2c, "upstream-h2c", false, "speak HTTP/2 to http upstreams for callers who speak it, as gRPC servers want")
}

// hops are the addresses with their upstreams.
func (f *tapPassFlags) hops() ([]tapHop, error) {
	switch {
	case len(f.listen) == 0 || len(f.upstreams) == 0:
		return nil, usage("where to listen and what to pass to: give --listen and --upstream")
	case len(f.listen) != len(f.upstreams):
		return nil, usage("--listen is given %d times and --upstream %d times: give one of each for every upstream", len(f.listen), len(f.upstreams))
	case (f.cert == "") != (f.key == ""):
		return nil, usage("--listen-cert and --listen-key belong together: give both")
	case f.callers != "" && f.cert == "":
		return nil, usage("--listen-client-ca asks callers for certificates, which needs TLS: give --listen-cert and --listen-key")
	}
	hops := make([]tapHop, len(f.listen))
	for i, listen := range f.listen {
		if err := workers.CheckLoopback(listen); err != nil && f.cert == "" {
			return nil, usage("--listen: %v, or give --listen-cert and --listen-key: callers send their keys", err)
		}
		u, err := url.Parse(f.upstreams[i])
		if err != nil {
			return nil, usage("--upstream: %q is no URL", f.upstreams[i])
		}
		hops[i] = tapHop{listen, u}
	}
	return hops, nil
}

// fill puts the flags into the tap's configuration and reads the certificates.
func (f *tapPassFlags) fill(e env, c *tap.Config) error {
	c.UpstreamH2C = f.h2c
	if f.authority != "" {
		pool, err := readAuthorities(e, f.authority)
		if err != nil {
			return usage("--upstream-ca: %v", err)
		}
		c.UpstreamTLS = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	if f.cert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return usage("--listen-cert, --listen-key: %v", err)
	}
	f.tls = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if f.callers != "" {
		if f.tls.ClientCAs, err = readAuthorities(e, f.callers); err != nil {
			return usage("--listen-client-ca: %v", err)
		}
		f.tls.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return nil
}

func readAuthorities(e env, name string) (*x509.CertPool, error) {
	file, err := e.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", name)
	}
	return pool, nil
}
