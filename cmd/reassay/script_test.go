package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"reassay": reassayUnderTest, "nats-under-test": natsUnderTest, "plain-proxy": plainProxy})
}

// Each script is named for the concept that it shows and runs the program in a process of its own.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	tree, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("FIXTURES", filepath.Join(tree, "fixtures"))
			e.Setenv("VERDICTS", filepath.Join(tree, "report", "testdata", "verdicts.jsonl"))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "natsserver": natsServer, "publish": publish, "until": until,
		},
	})
}

// exits runs a program and demands its exit code: exits 2 reassay check -
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code program [argument...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = "?"
		if exit, ok := err.(interface{ ExitCode() int }); ok {
			code = strconv.Itoa(exit.ExitCode())
		}
	}
	if code != args[0] {
		ts.Fatalf("%v exited with %s, want %s", args[1:], code, args[0])
	}
}
