package main

import (
	"context"
	"regexp"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rogpeppe/go-internal/testscript"

	"reassay/workers"
)

// natsServer starts a NATS server whose store is a folder of the script and sets $NATS to where it listens:
// natsserver store
func natsServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: natsserver folder")
	}
	server, err := workers.StartServer(workers.ServerConfig{Store: ts.MkAbs(args[0]), Addr: "127.0.0.1:0"})
	ts.Check(err)
	ts.Defer(server.Stop)
	ts.Setenv("NATS", server.URL())
}

// publish stores a file as one message: publish subject file
func publish(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: publish subject file")
	}
	nc, err := nats.Connect(ts.Getenv("NATS"))
	ts.Check(err)
	defer nc.Close()
	js, err := jetstream.New(nc)
	ts.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err = js.Publish(ctx, args[0], []byte(ts.ReadFile(args[1])))
	ts.Check(err)
}

// until runs a program again and again until its output matches: until pattern program [argument...]
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until pattern program [argument...]")
	}
	wanted, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	var last error
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if last = ts.Exec(args[1], args[2:]...); wanted.MatchString(ts.ReadFile("stdout")) {
			return
		}
	}
	ts.Fatalf("%v printed nothing that matches %s; it ended with %v and printed %s%s", args[1:], args[0], last, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
}
