package workers

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

// ServerConfig is an embedded NATS server with JetStream.
type ServerConfig struct {
	Store      string        // folder of its streams; "" takes store_dir of File
	Addr       string        // "127.0.0.1:4222" listens there; "" where File says, and without one it is reached in process only
	File       string        // a configuration file of nats-server: accounts, users, TLS, limits, a cluster; "" is none
	Account    string        // the account of File in which reassay's streams live; "" takes the only one
	MaxPayload int32         // bytes of one message; 0 stands for the server's own default, 1 MiB
	SyncAlways bool          // every message is on disk before it is acknowledged
	Sync       time.Duration // else how often what was acknowledged is put on disk; 0 is File's word or the server's own default, two minutes
	Log        *zap.Logger   // what the server has to complain about; nil: silent
}

// Server is a running embedded server.
type Server struct {
	ns     *server.Server
	login  []nats.Option // how the process itself gets in
	unlock func()
}

// serverPatience is how long a server may take to come up, to go down, or to answer a first connection.
const serverPatience = 20 * time.Second

// StartServer starts an embedded server and waits until it takes connections.
func StartServer(c ServerConfig) (*Server, error) {
	o, err := c.options()
	if err != nil {
		return nil, err
	}
	login, err := c.admitSelf(o)
	if err != nil {
		return nil, err
	}
	unlock, err := lockFolder(o.StoreDir)
	if err != nil {
		return nil, fmt.Errorf("the embedded NATS server's store %s: %w", o.StoreDir, err)
	}
	ns, err := server.NewServer(o)
	if err != nil {
		unlock()
		return nil, fmt.Errorf("make the embedded NATS server: %w", err)
	}
	s := &Server{ns, login, unlock}
	log := newServerLog(c.Log)
	ns.SetLoggerV2(log, false, false, false)
	ns.Start()
	if err := s.await(log.fatal); err != nil {
		s.Stop()
		return nil, fmt.Errorf("the embedded NATS server (store %s, address %s:%d) did not come up: %w", o.StoreDir, o.Host, o.Port, err)
	}
	return s, nil
}

// await waits until the server takes connections. What it calls fatal ends the waiting: it does not end by itself.
func (s *Server) await(fatal <-chan string) error {
	const look = 50 * time.Millisecond
	for deadline := time.Now().Add(serverPatience); time.Now().Before(deadline); {
		up := s.ns.ReadyForConnections(look)
		select {
		case text := <-fatal:
			if strings.Contains(text, "address already in use") {
				text += ": another server listens there; listen elsewhere, or use that server"
			}
			return errors.New(text)
		default:
		}
		if up && s.ns.JetStreamEnabled() {
			return nil
		}
		if up {
			return errors.New("JetStream is not enabled: is the folder writable?")
		}
	}
	return fmt.Errorf("it takes longer than %s", serverPatience)
}

// URL is where the server listens, "" when it is reached in process only.
func (s *Server) URL() string {
	if s.ns.Addr() == nil {
		return ""
	}
	return s.ns.ClientURL()
}

// StoreLimit is how many bytes the server's streams may take together, -1 when nothing bounds them.
func (s *Server) StoreLimit() int64 {
	if c := s.ns.JetStreamConfig(); c != nil && c.MaxStore > 0 {
		return c.MaxStore
	}
	return -1
}

// Connect opens a connection inside the process. options come last, and beat what the server's configuration says of
// the login.
func (s *Server) Connect(name string, options ...nats.Option) (*nats.Conn, error) {
	all := append([]nats.Option{nats.Name(name), nats.InProcessServer(s.ns), nats.Timeout(serverPatience), nats.MaxReconnects(-1)}, s.login...)
	nc, err := nats.Connect("", append(all, options...)...)
	if err != nil {
		return nil, fmt.Errorf("connect to the embedded NATS server: %w", err)
	}
	return nc, nil
}

// Stop ends the server and waits until it is gone.
func (s *Server) Stop() {
	s.ns.Shutdown()
	s.ns.WaitForShutdown()
	s.unlock()
}

// serverLog hands the server's complaints on. What it calls fatal ends the process of a server of its own; here it is
// kept for whoever started the server.
type serverLog struct {
	to    *zap.SugaredLogger
	fatal chan string
}

func newServerLog(to *zap.Logger) *serverLog {
	if to == nil {
		to = zap.NewNop()
	}
	return &serverLog{to.Named("nats").Sugar(), make(chan string, 1)}
}

func (l *serverLog) Noticef(format string, v ...any) { l.to.Debugf(format, v...) }
func (l *serverLog) Debugf(format string, v ...any)  { l.to.Debugf(format, v...) }
func (l *serverLog) Tracef(string, ...any)           {}
func (l *serverLog) Warnf(format string, v ...any)   { l.to.Warnf(format, v...) }
func (l *serverLog) Errorf(format string, v ...any)  { l.to.Errorf(format, v...) }

func (l *serverLog) Fatalf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	select {
	case l.fatal <- text: // the first is the cause of the others
	default:
		l.to.Error(text)
	}
}
