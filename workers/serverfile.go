package workers

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// options are the server's, from the file and from what beats it.
func (c ServerConfig) options() (*server.Options, error) {
	o := &server.Options{DontListen: c.Addr == "" && c.File == ""}
	if c.File != "" {
		if err := o.ProcessConfigFile(c.File); err != nil {
			return nil, fmt.Errorf("read the embedded NATS server's configuration: %w", err)
		}
	}
	o.JetStream, o.NoSigs, o.NoLog = true, true, true
	if c.Store != "" {
		o.StoreDir = c.Store
	}
	if o.StoreDir == "" {
		return nil, fmt.Errorf("%s names no store_dir: name it there or by --store", c.File)
	}
	if o.ServerName == "" {
		o.ServerName = "reassay"
	}
	if c.MaxPayload > 0 {
		o.MaxPayload = c.MaxPayload
	}
	if c.SyncAlways {
		o.SyncAlways = true
	} else if c.Sync > 0 {
		o.SyncAlways, o.SyncInterval = false, c.Sync
	}
	if c.Addr != "" {
		host, port, err := splitAddr(c.Addr)
		if err != nil {
			return nil, fmt.Errorf("listen on %q: %w", c.Addr, err)
		}
		o.Host, o.Port = host, port
	}
	stayLocal(o)
	return o, checkExposed(o)
}

// loopbackHost is where everything listens whose host nobody names. The server's own default is every interface.
const loopbackHost = "127.0.0.1"

func stayLocal(o *server.Options) {
	if o.Host == "" {
		o.Host = loopbackHost
	}
	for _, host := range []*string{&o.HTTPHost, &o.Cluster.Host, &o.Gateway.Host, &o.LeafNode.Host, &o.Websocket.Host, &o.MQTT.Host} {
		if *host == "" {
			*host = loopbackHost
		}
	}
}

// checkExposed refuses every address that another machine reaches and on which anybody is let in.
func checkExposed(o *server.Options) error {
	if o.DontListen {
		return nil
	}
	verified := func(c *tls.Config) bool { return c != nil && c.ClientAuth == tls.RequireAndVerifyClientCert }
	auth := hasLogin(o)
	var errs []error
	for _, l := range []struct {
		what, host string
		port       int
		guarded    bool
	}{
		{"clients", o.Host, max(o.Port, 1), auth || verified(o.TLSConfig)},
		{"monitoring over HTTP", o.HTTPHost, o.HTTPPort, false},
		{"monitoring over HTTPS", o.HTTPHost, o.HTTPSPort, verified(o.TLSConfig)},
		{"profiling", o.Host, o.ProfPort, false},
		{"the cluster's routes", o.Cluster.Host, o.Cluster.Port, o.Cluster.Username != "" || verified(o.Cluster.TLSConfig)},
		{"gateways", o.Gateway.Host, o.Gateway.Port, o.Gateway.Username != "" || verified(o.Gateway.TLSConfig)},
		{"leaf nodes", o.LeafNode.Host, o.LeafNode.Port, auth || o.LeafNode.Username != "" || len(o.LeafNode.Users) > 0 || verified(o.LeafNode.TLSConfig)},
		{"websockets", o.Websocket.Host, o.Websocket.Port, auth || o.Websocket.Username != "" || verified(o.Websocket.TLSConfig)},
		{"MQTT", o.MQTT.Host, o.MQTT.Port, auth || o.MQTT.Username != "" || verified(o.MQTT.TLSConfig)},
	} {
		if l.port != 0 && !loopback(l.host) && !l.guarded {
			errs = append(errs, fmt.Errorf("%s would let anybody in who reaches %s, which is no loopback address: listen on %s, or give --server-config a file with "+
				"users or with TLS that verifies certificates (verify: true)", l.what, net.JoinHostPort(l.host, strconv.Itoa(max(l.port, 0))), loopbackHost))
		}
	}
	return errors.Join(errs...)
}

// hasLogin reports whether clients must say who they are.
func hasLogin(o *server.Options) bool {
	return len(o.Users) > 0 || len(o.Nkeys) > 0 || o.Username != "" || o.Authorization != "" || operated(o) || o.AuthCallout != nil
}

// operated reports whether users are known by the tokens that an operator signed.
func operated(o *server.Options) bool { return len(o.TrustedOperators) > 0 || len(o.TrustedKeys) > 0 }

// admitSelf lets this process in where the file demands a login: as a user of its own, whose key is made for this run
// and never leaves the process.
func (c ServerConfig) admitSelf(o *server.Options) ([]nats.Option, error) {
	account, err := c.account(o)
	if err != nil {
		return nil, err
	}
	switch {
	case !hasLogin(o) && account == nil, operated(o): // an operator's server knows no other users: the caller has credentials
		return nil, nil
	case o.Authorization != "" && len(o.Users)+len(o.Nkeys) == 0:
		return []nats.Option{nats.Token(o.Authorization)}, nil
	}
	if o.Username != "" && len(o.Users)+len(o.Nkeys) == 0 {
		// The server hears of a single user only where there is no list of them.
		o.Users = append(o.Users, &server.User{Username: o.Username, Password: o.Password})
	}
	key, err := nkeys.CreateUser()
	if err != nil {
		return nil, fmt.Errorf("make a key for the embedded NATS server: %w", err)
	}
	public, err := key.PublicKey()
	if err != nil {
		return nil, fmt.Errorf("make a key for the embedded NATS server: %w", err)
	}
	o.Nkeys = append(o.Nkeys, &server.NkeyUser{Nkey: public, Account: account})
	return []nats.Option{nats.Nkey(public, key.Sign)}, nil
}

// account is the one in which reassay's streams live, nil where the file has none.
func (c ServerConfig) account(o *server.Options) (*server.Account, error) {
	var found []*server.Account
	for _, a := range o.Accounts {
		if a.Name == c.Account {
			return a, nil
		}
		if a.Name != o.SystemAccount {
			found = append(found, a)
		}
	}
	switch {
	case c.Account != "" && !operated(o):
		return nil, fmt.Errorf("%s has no account %q", c.File, c.Account)
	case len(found) == 0:
		return nil, nil
	case len(found) > 1:
		return nil, fmt.Errorf("%s has %d accounts: name the one for reassay's streams by --account", c.File, len(found))
	}
	return found[0], nil
}
