package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"reassay/capture"
	"reassay/check"
)

// blindItem is one planted fault or allowed change of a batch that was written without sight of the rules
// (fixtures/blind/README.md).
type blindItem struct {
	ID      string          `json:"id"`
	Kind    string          `json:"kind"` // "fault" or "allowed"
	Pair    string          `json:"pair"` // "anthropic-messages>openai-chat"
	Rule    string          `json:"rule"` // of a fault: its class, in its author's judgement
	What    string          `json:"what"`
	Source  string          `json:"source"`
	Base    json.RawMessage `json:"base"`
	Changed json.RawMessage `json:"changed"`
}

// identity reports whether upstream and caller speak one dialect.
func (i blindItem) identity() bool {
	from, to, _ := strings.Cut(i.Pair, ">")
	return from == to
}

// blindScore is what was made of an item, as fixtures/blind/first.jsonl keeps it of the first scoring.
type blindScore struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	T1       bool     `json:"t1"`       // a T1 finding that the base lacks
	Intended bool     `json:"intended"` // one of the author's rule
	Any      bool     `json:"any"`      // any finding that the base lacks
	Base     int      `json:"base"`     // T1 findings, avoidable and the gateway's, on the base itself
	Found    []string `json:"found,omitempty"`

	item blindItem
}

// blindItems reads every batch, in the order of their ids.
func blindItems(dir string) ([]blindItem, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no batch in %s", dir)
	}
	var items []blindItem
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var i blindItem
		if err := json.Unmarshal(text, &i); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		if i.Kind != "fault" && i.Kind != "allowed" || i.ID == "" || bytes.Equal(i.Base, i.Changed) {
			return nil, fmt.Errorf("read %s: want an id, kind fault or allowed, and a base that was changed", file)
		}
		items = append(items, i)
	}
	return items, nil
}

// exchangeOf reads one side of an item.
func exchangeOf(text json.RawMessage) (*capture.Exchange, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return nil, err
	}
	for x, err := range capture.Decode(&compact, "item") {
		return x, err
	}
	return nil, errors.New("no exchange")
}

// scoreBlind judges both sides of an item.
func scoreBlind(k *check.Checker, i blindItem) (blindScore, error) {
	out := blindScore{ID: i.ID, Kind: i.Kind, item: i}
	var verdicts [2]check.Verdict
	for n, text := range []json.RawMessage{i.Base, i.Changed} {
		x, err := exchangeOf(text)
		if err != nil {
			return out, fmt.Errorf("read %s: %w", i.ID, err)
		}
		if verdicts[n], err = k.Exchange(context.Background(), x); err != nil {
			return out, err
		}
	}
	for _, f := range verdicts[0].Findings {
		if counts(f) && f.Support == "avoidable" {
			out.Base++
		}
	}
	known, met := findingsOf(verdicts[0]), map[string]int{}
	for _, f := range verdicts[1].Findings {
		key := finding(f, i.Kind == "fault")
		if met[key]++; met[key] <= known[key] {
			continue
		}
		out.Any = true
		out.T1 = out.T1 || counts(f)
		out.Intended = out.Intended || f.Rule == i.Rule
		out.Found = append(out.Found, finding(f, true))
	}
	return out, nil
}

// blindResult is a scoring of all batches.
type blindResult []blindScore

func (r blindResult) tally(meets func(blindScore) bool, hit func(blindScore) bool) (k, n int) {
	for _, s := range r {
		if meets(s) {
			n++
			if hit(s) {
				k++
			}
		}
	}
	return k, n
}

// blind scores the batches in dir, prints what came out beside the first scoring, and writes it where first is to be
// made.
func blind(w io.Writer, dir string, makeFirst bool) error {
	items, err := blindItems(dir)
	if err != nil {
		return err
	}
	k, err := newChecker()
	if err != nil {
		return err
	}
	var now blindResult
	for _, i := range items {
		s, err := scoreBlind(k, i)
		if err != nil {
			return err
		}
		now = append(now, s)
	}
	path := filepath.Join(dir, "first.jsonl")
	first, err := readFirst(path, items)
	switch {
	case errors.Is(err, fs.ErrNotExist) && makeFirst:
		return now.writeFirst(w, path)
	case err != nil:
		return err
	case makeFirst:
		return fmt.Errorf("%s is there: a batch is scored once", path)
	}
	fmt.Fprintf(w, "Blind batches, as first scored (the headline; %s tells when):\n\n", filepath.Join(dir, "README.md"))
	first.report(w)
	fmt.Fprintf(w, "\nThe same batches by the rules as they are now. What was repaired since is no measurement:\n\n")
	now.report(w)
	return now.worse(first)
}

func (r blindResult) writeFirst(w io.Writer, path string) error {
	var out bytes.Buffer
	for _, s := range r {
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		out.Write(append(text, '\n'))
	}
	r.report(w)
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// readFirst reads the first scoring; it must speak of every item there is.
func readFirst(path string, items []blindItem) (blindResult, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out blindResult
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 0; lines.Scan(); n++ {
		var s blindScore
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("read %s line %d: %w", path, n+1, err)
		}
		if n >= len(items) || s.ID != items[n].ID {
			return nil, fmt.Errorf("read %s line %d: %s is not the item that stands there", path, n+1, s.ID)
		}
		s.item = items[n]
		out = append(out, s)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if len(out) != len(items) {
		return nil, fmt.Errorf("%s speaks of %d items of %d", path, len(out), len(items))
	}
	return out, nil
}

// worse is an error that names what was right at the first scoring and is wrong now.
func (r blindResult) worse(first blindResult) error {
	var lost []string
	for n, s := range r {
		if s.Kind == "fault" && first[n].T1 && !s.T1 || s.Kind == "allowed" && !first[n].T1 && s.T1 {
			lost = append(lost, s.ID)
		}
	}
	if lost != nil {
		return fmt.Errorf("worse than at the first scoring: %s", strings.Join(lost, ", "))
	}
	return nil
}

func (r blindResult) report(w io.Writer) {
	t1 := func(s blindScore) bool { return s.T1 }
	fault := func(s blindScore) bool { return s.Kind == "fault" }
	allowed := func(s blindScore) bool { return s.Kind == "allowed" }
	row := func(name string, meets, hit func(blindScore) bool) {
		k, n := r.tally(meets, hit)
		fmt.Fprintf(w, "  %-46s %s\n", name, share(k, n))
	}
	row("faults found, any T1 finding", fault, t1)
	row("faults found, by the author's rule", fault, func(s blindScore) bool { return s.Intended })
	row("faults found, any tier", fault, func(s blindScore) bool { return s.Any })
	row("faults of T1 classes found, any T1 finding", func(s blindScore) bool { return fault(s) && strings.HasPrefix(s.item.Rule, "S") }, t1)
	row("allowed changes with a T1 finding", allowed, t1)
	row("the same in identity translation", func(s blindScore) bool { return allowed(s) && s.item.identity() }, t1)
	row("ideal translations with an avoidable finding", func(blindScore) bool { return true }, func(s blindScore) bool { return s.Base > 0 })
	groups := func(title string, of func(blindItem) string) {
		var names []string
		for _, s := range r {
			if n := of(s.item); fault(s) && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		slices.Sort(names)
		fmt.Fprintf(w, "  Faults found, any T1 finding, by %s:\n", title)
		for _, name := range names {
			row("  "+name, func(s blindScore) bool { return fault(s) && of(s.item) == name }, t1)
		}
	}
	groups("class", func(i blindItem) string { return i.Rule })
	groups("pair", func(i blindItem) string { return i.Pair })
	for _, s := range r {
		switch {
		case fault(s) && !s.T1 && s.Any:
			fmt.Fprintf(w, "  noted   %s (%s, %s): %s\n", s.ID, s.item.Rule, s.item.Pair, s.item.What)
		case fault(s) && !s.T1:
			fmt.Fprintf(w, "  missed  %s (%s, %s): %s\n", s.ID, s.item.Rule, s.item.Pair, s.item.What)
		case allowed(s) && s.T1:
			fmt.Fprintf(w, "  alarm   %s (%s): %s\n          %s\n", s.ID, s.item.Pair, s.item.What, strings.Join(s.Found, "\n          "))
		}
	}
}
