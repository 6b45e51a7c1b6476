package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"github.com/spf13/cobra"

	"reassay/capture"
)

// input is one exchange of the command line's files, or why there is none.
type input struct {
	exchange *capture.Exchange
	err      error
}

// exchanges reads the exchanges of files one after the other; "-" is standard input. An error is an input of its own,
// and the reading goes on behind it.
func (e env) exchanges(files []string) iter.Seq[input] {
	return func(yield func(input) bool) {
		for _, name := range files {
			r, shown, err := e.input(name)
			if err != nil {
				if !yield(input{err: err}) {
					return
				}
				continue
			}
			for x, err := range capture.Decode(r, shown) {
				if !yield(input{x, err}) {
					r.Close()
					return
				}
			}
			r.Close()
		}
	}
}

// someFiles is what a command's arguments must be.
func someFiles(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage("%s: name at least one file, or - for standard input", c.CommandPath())
	}
	return nil
}

// input opens one file of the command line and says what errors call it.
func (e env) input(name string) (r io.ReadCloser, shown string, err error) {
	if name == "-" {
		return io.NopCloser(e.stdin), "standard input", nil
	}
	r, err = e.open(name)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, name, fmt.Errorf("open %s: %w", name, err)
	}
	return r, name, nil
}
