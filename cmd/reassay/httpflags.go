package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"reassay/workers"
)

// httpFlags say where a long-running command answers over HTTP, and whom.
type httpFlags struct {
	addr     string
	token    string
	cert     string
	key      string
	clientCA string
}

func (f *httpFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.addr, "http", "", "address to answer on over HTTP, 127.0.0.1:9464: /metrics, /healthz, /readyz, /verdicts/events; nothing listens unless it is given, and one that other machines reach needs --http-token or --http-client-ca")
	flags.StringVar(&f.token, "http-token", "", "file that holds a token; whoever asks must send it as Authorization: Bearer, except for /healthz and /readyz")
	flags.StringVar(&f.cert, "http-cert", "", "PEM file of the certificate to answer with, over TLS then")
	flags.StringVar(&f.key, "http-key", "", "PEM file of that certificate's key")
	flags.StringVar(&f.clientCA, "http-client-ca", "", "PEM file of the authorities by one of which the certificate of whoever asks must be signed")
}

// validate says what is wrong with the flags before anything is started.
func (f *httpFlags) validate() error {
	switch {
	case f.addr == "" && (f.token != "" || f.cert != "" || f.key != "" || f.clientCA != ""):
		return usage("--http-token, --http-cert, --http-key and --http-client-ca say whom --http answers: give that too")
	case (f.cert == "") != (f.key == ""):
		return usage("--http-cert and --http-key belong together: give both")
	case f.clientCA != "" && f.cert == "":
		return usage("--http-client-ca asks for certificates, which needs TLS: give --http-cert and --http-key")
	case f.addr == "" || f.guarded():
		return nil
	}
	if err := workers.CheckLoopback(f.addr); err != nil {
		return usage("--http would answer anybody who reaches it: %v, or say who may ask by --http-token or --http-client-ca", err)
	}
	return nil
}

// guarded reports whether whoever asks must say who they are.
func (f *httpFlags) guarded() bool { return f.token != "" || f.clientCA != "" }

// secure is the server's side of TLS, nil where there is none.
func (f *httpFlags) secure(e env) (*tls.Config, error) {
	if f.cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, fmt.Errorf("read --http-cert and --http-key: %w", err)
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
	if f.clientCA == "" {
		return c, nil
	}
	text, err := readFile(e, f.clientCA)
	if err != nil {
		return nil, fmt.Errorf("read --http-client-ca: %w", err)
	}
	c.ClientCAs, c.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
	if !c.ClientCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("read --http-client-ca: %s holds no certificate in PEM", f.clientCA)
	}
	return c, nil
}

// guard lets only those through to next who may ask. open are paths that everybody may ask for.
func (f *httpFlags) guard(e env, next http.Handler, open ...string) (http.Handler, error) {
	if f.token != "" {
		token, err := readToken(e, f.token)
		if err != nil {
			return nil, fmt.Errorf("read --http-token: %w", err)
		}
		return demandToken(token, next, open), nil
	}
	if f.clientCA != "" {
		return next, nil
	}
	return refuseStrangeHosts(next), nil
}

// demandToken answers only who sends the token.
func demandToken(token string, next http.Handler, open []string) http.Handler {
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, path := range open {
			if r.URL.Path == path {
				next.ServeHTTP(w, r)
				return
			}
		}
		sent, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if got := sha256.Sum256([]byte(sent)); !bearer || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="reassay"`)
			http.Error(w, "send the token of --http-token as Authorization: Bearer", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuseStrangeHosts answers on a loopback address only who calls it by a loopback name: a web page can make a
// browser ask here under the page's own name (DNS rebinding), and would read the answer.
func refuseStrangeHosts(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.Trim(host, "[]")
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "without --http-token this address is asked for as localhost or 127.0.0.1 only", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// readToken is a file's one word.
func readToken(e env, name string) (string, error) {
	text, err := readFile(e, name)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return "", fmt.Errorf("%s must hold one word", name)
	}
	return token, nil
}

func readFile(e env, name string) ([]byte, error) {
	f, err := e.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
