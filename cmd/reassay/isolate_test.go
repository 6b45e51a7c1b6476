package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Where SDKs run changes no byte of a verdict, nor of what an SDK assembled: check in this process, and check with
// processes of its own.
func TestProcessesChangeNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "captures.jsonl")
	if err := os.WriteFile(file, replayed(t), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"check", "--format", "jsonl", "--fail-on", "never", "--assembled", file}
	var want, errs bytes.Buffer
	code := run(t.Context(), env{
		args: args, stdout: &want, stderr: &errs,
		getenv: func(string) string { return "" },
		open:   func(name string) (io.ReadCloser, error) { return os.Open(name) },
	})
	if code != exitOK && code != exitUnsure || want.Len() == 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	cmd := program(args...)
	var got bytes.Buffer
	cmd.Stdout = &got
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != code {
		t.Fatalf("check: %v", err)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%d bytes of verdicts with processes, %d without, and they differ", got.Len(), want.Len())
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]string{
		"1GiB": "1GiB", "1024MiB": "1GiB", "1536MiB": "1536MiB", "1048576": "1MiB", "0": "0", "7": "7", "4KiB": "4KiB",
		"": "", "GiB": "", "-1": "", "1GB": "", "1.5GiB": "", "9999999999GiB": "",
	} {
		var b byteSize
		got := ""
		if err := b.Set(text); err == nil {
			got = b.String()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
