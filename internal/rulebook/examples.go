package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"reassay/capture"
	"reassay/check"
	"reassay/rules"
)

// examplesJSON judges the fixtures of every rule and picks one on which it fires and one on which it is quiet: those
// that say in words what they show.
func examplesJSON(root string) ([]byte, error) {
	checker, err := check.New(check.Config{SDKs: []string{}})
	if err != nil {
		return nil, fmt.Errorf("prepare the checker: %w", err)
	}
	all := map[string]rules.Examples{}
	for _, r := range rules.Catalogue {
		fires, err := example(root, r.ID, "fires", checker)
		if err != nil {
			return nil, err
		}
		quiet, err := example(root, r.ID, "quiet", checker)
		if err != nil {
			return nil, err
		}
		if fires != nil || quiet != nil {
			all[r.ID] = rules.Examples{Fires: fires, Quiet: quiet}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(all); err != nil {
		return nil, fmt.Errorf("encode the examples: %w", err)
	}
	return b.Bytes(), nil
}

func example(root, id, kind string, checker *check.Checker) (*rules.Example, error) {
	files, err := filepath.Glob(filepath.Join(root, "fixtures", "rules", id, kind+"-*.json"))
	if err != nil {
		return nil, fmt.Errorf("list the fixtures of %s: %w", id, err)
	}
	for _, file := range files {
		x, err := one(file)
		if err != nil {
			return nil, err
		}
		says := x.Meta.Get("shape").Str()
		if says == "" {
			continue
		}
		out := &rules.Example{Fixture: id + "/" + filepath.Base(file), Says: says, Legs: legs(x)}
		if kind == "fires" {
			v, err := checker.Exchange(context.Background(), x)
			if err != nil {
				return nil, fmt.Errorf("judge %s: %w", file, err)
			}
			for _, f := range v.Findings {
				if f.Rule == id && out.Finding == "" {
					out.Finding = strings.TrimSpace(f.Rule + " at " + orReply(f.Path) + ": " + f.Message)
				}
			}
			if out.Finding == "" {
				return nil, fmt.Errorf("%s does not fire on %s", id, file)
			}
		}
		return out, nil
	}
	return nil, nil
}

func orReply(path string) string {
	if path == "" {
		return "the reply"
	}
	return path
}

func one(file string) (*capture.Exchange, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read fixture: %w", err)
	}
	defer f.Close()
	for x, err := range capture.Decode(f, file) {
		if err != nil {
			return nil, fmt.Errorf("read fixture: %w", err)
		}
		return x, nil
	}
	return nil, fmt.Errorf("read fixture %s: it holds no exchange", file)
}

// legs are the captured legs in the order in which a person reads them.
func legs(x *capture.Exchange) []rules.ExampleLeg {
	var out []rules.ExampleLeg
	add := func(name string, l *capture.Leg) {
		if l != nil {
			out = append(out, rules.ExampleLeg{Name: name, Dialect: string(l.Dialect), Body: string(l.Body)})
		}
	}
	for _, l := range x.Upstream {
		add("upstream", l)
	}
	add("upstream_non_stream", x.UpstreamNonStream)
	add("stream", x.Stream)
	add("non_stream", x.NonStream)
	return out
}
