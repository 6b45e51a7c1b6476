package node

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reassay/sdkemu"
)

// coverageTable is coverage.json: which modules of an SDK read a reply stream, and what of them no reply can reach.
type coverageTable struct {
	Modules     map[string][]string `json:"modules"` // by SDK; a version may lack some
	Unreachable []unreachable       `json:"unreachable"`
}

// unreachable is a piece of an SDK's code that no reply makes run.
type unreachable struct {
	SDK    string `json:"sdk"`
	Module string `json:"module"`
	Code   string `json:"code,omitempty"` // the beginning of the line that opens it; it ends where the indentation is back
	Line   string `json:"line,omitempty"` // in the place of code: the beginning of a line that stands for itself
	Why    string `json:"why"`
}

const coverageFile = "coverage.json"

func readCoverageTable(t *testing.T) coverageTable {
	t.Helper()
	text, err := os.ReadFile(coverageFile)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var table coverageTable
	if err := dec.Decode(&table); err != nil {
		t.Fatalf("%s: %v", coverageFile, err)
	}
	return table
}

// leastCovered is how much of a version's lines must be reached, those included that no reply can reach, in percent.
const leastCovered = 90

// TestStreamingCoverage runs the streams of the fixtures and the probes through the real SDKs and says which lines of
// the modules that read them were not reached. A line that was not reached and that coverage.json does not account for
// fails the test: a probe is missing, or the reason why no reply can reach it. Without -all it looks at the versions
// alone that the SDKs' names stand for.
func TestStreamingCoverage(t *testing.T) {
	needSDKs(t)
	table := readCoverageTable(t)
	specimens := allSpecimens(t)
	used := make([]bool, len(table.Unreachable))
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	perVersion(t, func(t *testing.T, version string, targets []sdkemu.Target) {
		r := Release{SDK: targets[0].SDK, Version: targets[0].Version}
		if !*all && !r.standard() {
			return
		}
		looked++
		covered := lineCoverage(t, r, table.Modules[r.SDK], coverageQuestions(t, targets, specimens))
		total, reached, excused, missing := 0, 0, 0, 0
		for _, module := range table.Modules[r.SDK] {
			path := filepath.Join("js/node_modules", r.Alias(), filepath.FromSlash(module))
			text, err := os.ReadFile(path)
			if os.IsNotExist(err) {
				continue // another version has it
			}
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(text), "\n")
			hits, ok := covered[module]
			if !ok {
				t.Errorf("%s of %s was not loaded", module, version)
				continue
			}
			reasons := reasonsFor(table.Unreachable, used, r.SDK, module, lines, hits)
			for i, line := range lines {
				hit, counted := hits[i+1]
				if !counted || strings.TrimSpace(line) == "" {
					continue
				}
				total++
				switch why := reasons[i]; {
				case hit:
					reached++
				case why != "":
					excused++
					t.Logf("%s:%d: no reply reaches this: %s: %s", module, i+1, why, strings.TrimSpace(line))
				default:
					missing++
					t.Errorf("%s:%d: not reached: %s", module, i+1, strings.TrimSpace(line))
				}
			}
		}
		reachable := total - excused
		t.Logf("%s: %d of %d lines reached (%.1f %%), %d of them no reply can reach; of the others %.1f %%", version, reached, total,
			percent(reached, total), excused, percent(reached, reachable))
		if percent(reached, reachable) < leastCovered {
			t.Errorf("%s: %.1f %% of the lines that a reply can reach were reached, want %d", version, percent(reached, reachable), leastCovered)
		}
	})
	for i, u := range table.Unreachable {
		if looked == len(releases) && !used[i] {
			t.Errorf("%s: %s%s of %s (%s) accounts for no line", coverageFile, u.Code, u.Line, u.Module, u.SDK)
		}
		if u.Why == "" || (u.Code == "") == (u.Line == "") {
			t.Errorf("%s: %+v has no reason, or names nothing", coverageFile, u)
		}
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// reasonsFor says for every line of a module why no reply reaches it, "" for those that the table does not name. Used
// notes the entries that account for a line that was not reached.
func reasonsFor(list []unreachable, used []bool, sdk, module string, lines []string, hits map[int]bool) map[int]string {
	reasons := map[int]string{}
	for n, u := range list {
		if u.SDK != sdk || u.Module != module {
			continue
		}
		for i := range lines {
			if !strings.HasPrefix(strings.TrimSpace(lines[i]), u.Code+u.Line) {
				continue
			}
			end := i + 1
			if u.Line == "" {
				end = closing(lines, i)
			}
			for j := i; j < end; j++ {
				reasons[j] = u.Why
				if hit, counted := hits[j+1]; counted && !hit {
					used[n] = true
				}
			}
		}
	}
	return reasons
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// closing is the index behind the code that line i opens: behind the bracket that closes it, or before the next line that
// is indented no deeper.
func closing(lines []string, i int) int {
	first := strings.TrimSpace(lines[i])
	opened := !strings.HasSuffix(first, "(") && !strings.HasSuffix(first, ",")
	for end := i + 1; end < len(lines); end++ {
		line := strings.TrimSpace(lines[end])
		switch {
		case line == "" || indentation(lines[end]) > indentation(lines[i]):
		case strings.HasPrefix(line, "}") || strings.HasPrefix(line, ")"):
			return end + 1
		case !opened: // parameters on lines of their own
			opened = strings.HasSuffix(line, "{")
		default:
			return end
		}
	}
	return len(lines)
}

// coverageQuestions are all streams in both modes, each in one chunking.
func coverageQuestions(t *testing.T, targets []sdkemu.Target, specimens []specimen) []question {
	t.Helper()
	var out []question
	for _, s := range specimens {
		for _, target := range targets {
			if s.api != target.API {
				continue
			}
			h := fnv.New32a()
			fmt.Fprint(h, s.name, target.Mode)
			c := sdkemu.Chunkings[int(h.Sum32()%uint32(len(sdkemu.Chunkings)))]
			if c == sdkemu.Byte && len(s.in.Body) > shortBody {
				c = sdkemu.Hostile
			}
			in := s.in
			var err error
			if in.Cuts, err = c.Cuts(in.Body); err != nil {
				t.Fatal(err)
			}
			out = append(out, questionOf(s.name, target, in))
		}
	}
	return out
}

// lineCoverage asks the real SDK and gives, for every module of the list that was loaded, by line number whether the line
// ran. Node measures, c8 reads what it wrote.
func lineCoverage(t *testing.T, r Release, modules []string, questions []question) map[string]map[int]bool {
	t.Helper()
	raw, work := t.TempDir(), t.TempDir()
	askIn(t, []string{"NODE_V8_COVERAGE=" + raw}, questions)
	plainModules(t, raw, work, r, modules)
	c8, err := filepath.Abs("js/node_modules/c8/bin/c8.js")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", c8, "report", "--temp-directory", raw, "--reports-dir", "report", "--reporter", "json", "--exclude", "")
	cmd.Dir = work
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("c8 report: %v\n%s", err, text)
	}
	text, err := os.ReadFile(filepath.Join(work, "report", "coverage-final.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]struct {
		StatementMap map[string]struct{ Start, End struct{ Line int } }
		S            map[string]int
	}
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatalf("c8 report: %v", err)
	}
	covered := map[string]map[int]bool{}
	for path, f := range files {
		module, err := filepath.Rel(work, path)
		if err != nil {
			t.Fatal(err)
		}
		hits := map[int]bool{}
		for id, s := range f.StatementMap {
			for line := s.Start.Line; line <= s.End.Line; line++ {
				hits[line] = hits[line] || f.S[id] > 0
			}
		}
		covered[filepath.ToSlash(module)] = hits
	}
	return covered
}

// plainModules copies the modules to the folder work and makes what Node wrote to raw speak of the copies. The copies
// name no source maps, so that c8 counts lines of the code that ran, and not of TypeScript, where types count as code.
func plainModules(t *testing.T, raw, work string, r Release, modules []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(raw, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("Node wrote no coverage (%v)", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var report struct {
			Result []map[string]any `json:"result"`
		}
		if err := json.Unmarshal(text, &report); err != nil {
			t.Fatalf("read what Node covered: %v", err)
		}
		kept := report.Result[:0]
		for _, script := range report.Result {
			url, _ := script["url"].(string)
			_, module, ok := strings.Cut(url, "/node_modules/"+r.Alias()+"/")
			if !ok || !slices.Contains(modules, module) {
				continue
			}
			source, err := os.ReadFile(filepath.Join("js/node_modules", r.Alias(), filepath.FromSlash(module)))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(work, filepath.FromSlash(module))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			source = bytes.ReplaceAll(source, []byte("//# sourceMappingURL="), []byte("//  sourceMappingURL="))
			if err := os.WriteFile(path, source, 0o644); err != nil {
				t.Fatal(err)
			}
			script["url"] = "file://" + filepath.ToSlash(path)
			kept = append(kept, script)
		}
		report.Result = kept
		if text, err = json.Marshal(report); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
