package workers

import (
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ServerConfig is an embedded NATS server with JetStream.
type ServerConfig struct {
	Store      string // folder of its streams
	Addr       string // "127.0.0.1:4222" listens there; "" is reached in process only
	MaxPayload int32  // bytes of one message; 0 stands for the server's own default, 1 MiB
	SyncAlways bool   // every message is on disk before it is acknowledged
}

// Server is a running embedded server.
type Server struct{ ns *server.Server }

// serverPatience is how long a server may take to come up, to go down, or to answer a first connection.
const serverPatience = 20 * time.Second

// StartServer starts an embedded server and waits until it takes connections.
func StartServer(c ServerConfig) (*Server, error) {
	o := &server.Options{
		ServerName: "reassay",
		JetStream:  true,
		StoreDir:   c.Store,
		MaxPayload: c.MaxPayload,
		SyncAlways: c.SyncAlways,
		NoLog:      true,
		NoSigs:     true,
		DontListen: c.Addr == "",
	}
	if c.Addr != "" {
		host, port, err := splitAddr(c.Addr)
		if err != nil {
			return nil, fmt.Errorf("listen on %q: %w", c.Addr, err)
		}
		o.Host, o.Port = host, port
	}
	ns, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("make the embedded NATS server: %w", err)
	}
	ns.Start()
	if !ns.ReadyForConnections(serverPatience) {
		ns.Shutdown()
		return nil, fmt.Errorf("the embedded NATS server (store %s, address %q) did not come up in %s: is the folder writable and the address free?", c.Store, c.Addr, serverPatience)
	}
	if !ns.JetStreamEnabled() {
		ns.Shutdown()
		return nil, fmt.Errorf("the embedded NATS server could not open its store %s: is the folder writable?", c.Store)
	}
	return &Server{ns}, nil
}

// URL is where the server listens, "" when it is reached in process only.
func (s *Server) URL() string {
	if s.ns.Addr() == nil {
		return ""
	}
	return s.ns.ClientURL()
}

// Connect opens a connection inside the process.
func (s *Server) Connect(name string) (*nats.Conn, error) {
	nc, err := nats.Connect("", nats.Name(name), nats.InProcessServer(s.ns), nats.Timeout(serverPatience))
	if err != nil {
		return nil, fmt.Errorf("connect to the embedded NATS server: %w", err)
	}
	return nc, nil
}

// Stop ends the server and waits until it is gone.
func (s *Server) Stop() {
	s.ns.Shutdown()
	s.ns.WaitForShutdown()
}
