package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"
	"github.com/synadia-io/orbit.go/natscontext"
)

// natsFlags say how a running NATS server is reached. Every command that talks to one has them.
type natsFlags struct {
	url     string
	context string
	creds   string
	ca      string
	cert    string
	key     string
}

func (f *natsFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.url, "nats", "", "URL of a running NATS server with JetStream, nats://127.0.0.1:4222; of a cluster several, with commas between them")
	flags.StringVar(&f.context, "context", "", "context of the nats command line that names the server and how to log in there, or the full path of a context's file")
	flags.StringVar(&f.creds, "creds", "", "credentials file to log in with")
	flags.StringVar(&f.ca, "tls-ca", "", "PEM file of the authorities that may have signed the server's certificate; the system's unless given")
	flags.StringVar(&f.cert, "tls-cert", "", "PEM file of the certificate to show to the server")
	flags.StringVar(&f.key, "tls-key", "", "PEM file of that certificate's key")
}

// given reports whether a running server is named. Commands that could embed one ask; for all others
// nats://127.0.0.1:4222, where reassay serve listens by default, stands in.
func (f *natsFlags) given() bool { return f.url != "" || f.context != "" }

// validate says what is wrong with the flags before anything is connected.
func (f *natsFlags) validate() error {
	switch {
	case f.url != "" && f.context != "":
		return usage("--nats and --context both name a server: give one of them")
	case (f.cert == "") != (f.key == ""):
		return usage("--tls-cert and --tls-key belong together: give both")
	}
	return nil
}

// validateEmbedded is validate for a command that embeds a server where none is named.
func (f *natsFlags) validateEmbedded() error {
	if !f.given() && (f.creds != "" || f.ca != "" || f.cert != "" || f.key != "") {
		return usage("--creds, --tls-ca, --tls-cert and --tls-key say how to reach a running server: name it by --nats or --context")
	}
	return f.validate()
}

// natsPatience is how long a server may take to answer a first connection.
const natsPatience = 20 * time.Second

// connect reaches the server and says where it is, without secrets. The connection comes back by itself whenever it was
// lost. name is what the server's own monitoring calls it. An error says what to do and ends the program with exitUnusable.
func (f *natsFlags) connect(name string, more ...nats.Option) (nc *nats.Conn, where string, err error) {
	if err := f.validate(); err != nil {
		return nil, "", err
	}
	options := []nats.Option{nats.Name(name), nats.MaxReconnects(-1), nats.Timeout(natsPatience)}
	if f.creds != "" {
		options = append(options, nats.UserCredentials(f.creds))
	}
	if f.ca != "" {
		options = append(options, nats.RootCAs(f.ca))
	}
	if f.cert != "" {
		options = append(options, nats.ClientCert(f.cert, f.key))
	}
	options = append(options, more...)
	if f.context != "" {
		nc, where, err = connectContext(f.context, options)
	} else {
		where = f.url
		if where == "" {
			where = nats.DefaultURL
		}
		nc, err = nats.Connect(where, options...)
		where = withoutSecrets(where)
	}
	if err != nil {
		return nil, "", &exitError{exitUnusable, explainConnect(where, err)}
	}
	return nc, where, nil
}

// connectContext connects as a context of the nats command line says; options beat what stands there.
func connectContext(name string, options []nats.Option) (nc *nats.Conn, where string, err error) {
	where = fmt.Sprintf("the context %q", name)
	nc, settings, err := natscontext.Connect(name, options...)
	if err != nil {
		return nil, where, err
	}
	if settings.JSDomain != "" || settings.JSAPIPrefix != "" {
		nc.Close()
		return nil, where, errors.New("it names a JetStream domain or API prefix, which reassay does not speak: connect to a server of that domain itself")
	}
	return nc, nc.ConnectedUrlRedacted(), nil
}

// withoutSecrets leaves passwords and tokens out of a list of URLs.
func withoutSecrets(list string) string {
	urls := strings.Split(list, ",")
	for i, text := range urls {
		u, err := url.Parse(strings.TrimSpace(text))
		switch {
		case err != nil && strings.Contains(text, "@"):
			urls[i] = text[strings.LastIndex(text, "@")+1:]
		case err == nil && u.User != nil:
			u.User = nil
			urls[i] = u.String()
		}
	}
	return strings.Join(urls, ",")
}

// explainConnect says why a server was not reached, and what to do.
func explainConnect(where string, err error) error {
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("no NATS server answers at %s: start one there with JetStream (nats-server -js, or reassay serve): %w", where, err)
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked),
		errors.Is(err, nats.ErrAccountAuthExpired):
		return fmt.Errorf("the NATS server at %s refuses these credentials: give others by --creds, by --context or in the URL: %w", where, err)
	case errors.As(err, &untrusted):
		return fmt.Errorf("the certificate of the NATS server at %s cannot be trusted: name its authority by --tls-ca: %w", where, err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("the NATS server at %s has no TLS, but --tls-ca, --tls-cert or its URL asks for it: %w", where, err)
	case strings.Contains(err.Error(), "unknown context"):
		return fmt.Errorf("%w: nats context ls lists those that there are", err)
	}
	return fmt.Errorf("connect to the NATS server at %s: %w", where, err)
}
