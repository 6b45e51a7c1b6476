package main

import (
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"reassay/workers"
)

// serverFlags are those of the embedded NATS server.
type serverFlags struct {
	store   string
	listen  string
	sync    syncInterval
	file    string
	account string
	given   func(name string) bool // whether a flag was given, and not only has its default
}

// own are the names of the flags that mean nothing beside a server that runs elsewhere.
var own = []string{"store", "listen", "sync-interval", "server-config", "account"}

func (f *serverFlags) register(c *cobra.Command) {
	f.sync = syncAlways
	f.given = c.Flags().Changed
	flags := c.Flags()
	flags.StringVar(&f.store, "store", "reassay-store", "folder of the embedded server's store")
	flags.StringVar(&f.listen, "listen", "127.0.0.1:4222", "address of the embedded server; one that other machines reach needs users or verified certificates, by --server-config")
	flags.Var(&f.sync, "sync-interval", "when the embedded server puts on disk what it acknowledges: always, before it does so, or every so often (2m), and then what was acknowledged can be lost with the machine's power")
	flags.StringVar(&f.file, "server-config", "", "configuration file of nats-server for the embedded server: users, accounts, TLS, limits, a cluster; --store and --listen beat it where they are given")
	flags.StringVar(&f.account, "account", "", "which account of --server-config holds reassay's streams, where it has several")
}

// validate says what is wrong with the flags; elsewhere: the server is not embedded.
func (f *serverFlags) validate(elsewhere bool) error {
	for _, name := range own {
		if elsewhere && f.given(name) {
			return usage("--%s is the embedded server's; with --nats or --context the server has its own", name)
		}
	}
	if f.account != "" && f.file == "" {
		return usage("--account names one of --server-config's accounts: give both")
	}
	return nil
}

// start starts the embedded server.
func (f *serverFlags) start(log *zap.Logger) (*workers.Server, error) {
	c := workers.ServerConfig{
		Store: f.store, Addr: f.listen, File: f.file, Account: f.account, Log: log,
		SyncAlways: f.sync == syncAlways, Sync: time.Duration(f.sync),
	}
	if f.file != "" {
		// The file's word stands against what nobody asked for.
		if !f.given("store") {
			c.Store = ""
		}
		if !f.given("listen") {
			c.Addr = ""
		}
		if !f.given("sync-interval") {
			c.SyncAlways, c.Sync = false, 0
		}
	}
	return workers.StartServer(c)
}

// connect starts the embedded server and connects to it inside the process. done ends both.
func (f *serverFlags) connect(name string, log *zap.Logger, options ...nats.Option) (nc *nats.Conn, server *workers.Server, done func(), err error) {
	if server, err = f.start(log); err != nil {
		return nil, nil, nil, err
	}
	if nc, err = server.Connect(name, options...); err != nil {
		server.Stop()
		return nil, nil, nil, err
	}
	return nc, server, func() { nc.Close(); server.Stop() }, nil
}

// syncInterval is how often the server's store is put on disk; syncAlways: with every message.
type syncInterval time.Duration

const syncAlways syncInterval = 0

// Set reads a flag's value.
func (s *syncInterval) Set(text string) error {
	if text == "always" {
		*s = syncAlways
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("want always, or a time as 10s or 2m")
	}
	*s = syncInterval(d)
	return nil
}

// String spells it.
func (s syncInterval) String() string {
	if s == syncAlways {
		return "always"
	}
	return time.Duration(s).String()
}

// Type is what the help calls the value.
func (s *syncInterval) Type() string { return "always|duration" }
