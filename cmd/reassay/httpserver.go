package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"go.uber.org/zap"

	"reassay/meter"
)

// The paths that the daemon answers on.
const (
	pathMetrics = "/metrics"
	pathAlive   = "/healthz"
	pathReady   = "/readyz"
)

const (
	// headerPatience is how long a client may take for its request; what it sends beyond the header is not read.
	headerPatience = 10 * time.Second
	// idlePatience is how long a connection may wait for its next request.
	idlePatience = 2 * time.Minute
	// answerPatience is how long answers under way may take when the daemon stops.
	answerPatience = 2 * time.Second
	maxHeader      = 16 << 10
)

// routes are what the daemon answers.
func routes(m *meter.Meter) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET "+pathMetrics, m.Metrics())
	mux.Handle("GET "+pathAlive, m.Alive())
	mux.Handle("GET "+pathReady, m.Ready())
	return mux
}

// start answers over HTTP until stop, which waits until it is over. Without --http it does nothing.
func (f *httpFlags) start(e env, log *zap.Logger, what http.Handler) (stop func(), err error) {
	if f.addr == "" {
		return func() {}, nil
	}
	guarded, err := f.guard(e, what, pathAlive, pathReady)
	if err != nil {
		return nil, err
	}
	secure, err := f.secure(e)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return nil, fmt.Errorf("answer over HTTP: %w", err)
	}
	where := "http://" + listener.Addr().String()
	if secure != nil {
		where = "https://" + listener.Addr().String()
		secure.NextProtos = []string{"h2", "http/1.1"}
		listener = tls.NewListener(listener, secure)
	}
	working, cancel := context.WithCancel(context.Background())
	complaints, err := zap.NewStdLogAt(log.Named("http"), zap.DebugLevel)
	if err != nil {
		cancel()
		return nil, errors.Join(err, listener.Close())
	}
	server := &http.Server{
		Handler: guarded, TLSConfig: secure, ErrorLog: complaints,
		ReadHeaderTimeout: headerPatience, IdleTimeout: idlePatience, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return working },
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("does not answer over HTTP any more", zap.Error(err))
		}
	}()
	log.Info("answering over HTTP", zap.String("http", where))
	return func() {
		cancel() // ends the answers that have no end of their own
		patience, off := context.WithTimeout(context.Background(), answerPatience)
		defer off()
		if err := server.Shutdown(patience); err != nil {
			log.Warn("answers over HTTP are broken off", zap.Error(errors.Join(err, server.Close())))
		}
		<-ended
	}, nil
}
