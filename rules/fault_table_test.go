package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"reassay/assemble"
	"reassay/convir"
	"reassay/wire"
)

// notFaults are the codes that say nothing by themselves: whether arguments are wrong only S04 can tell, an error that
// is told is an end, and arguments cut by an end that says so are honest.
var notFaults = []assemble.FaultCode{
	assemble.ErrorMidway, assemble.ArgsCut, assemble.ArgsNotJSON, assemble.ArgsNotObject, assemble.ArgsEmpty,
}

// codes reads the fault codes out of the package's source, so that a new one cannot be forgotten here.
func codes(t *testing.T) []assemble.FaultCode {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../assemble/codes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []assemble.FaultCode
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
			if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					out = append(out, assemble.FaultCode(s))
				}
			}
		}
		return true
	})
	if len(out) < 40 {
		t.Fatalf("only %d codes were found", len(out))
	}
	return out
}

func TestEveryFaultHasARow(t *testing.T) {
	for _, code := range codes(t) {
		has := slices.ContainsFunc(faultTable, func(e faultEntry) bool { return e.Code == code })
		if has == slices.Contains(notFaults, code) {
			t.Errorf("%s has a row: %t, and stands among those that say nothing by themselves: %t", code, has, !has)
		}
	}
}

func TestRowsAreWhole(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range Catalogue {
		ids[r.ID] = r.Check != nil
	}
	for _, e := range faultTable {
		dialects := []wire.Dialect{e.Dialect}
		if e.Dialect == "" {
			dialects = wire.Dialects
		}
		for _, d := range dialects {
			row, ok := convir.GrammarOf(d, e.Field)
			if !ok {
				if e.Dialect != "" || d == wire.OpenAIChat {
					t.Errorf("%s in %s: the grammar has no field %q", e.Code, d, e.Field)
				}
				continue
			}
			if e.Cond != "" && row.On(e.Cond) == "" {
				t.Errorf("%s in %s: the grammar says nothing of %s when %s", e.Code, d, e.Field, e.Cond)
			}
		}
		if !ids[e.Rule] || e.Construct == "" || e.Name == "" || e.Mechanism == "" || e.Says == "" {
			t.Errorf("%s: the row is not whole: %+v", e.Code, e)
		}
	}
}

func TestExceptionsHaveSources(t *testing.T) {
	for _, r := range exceptionTable {
		if r.SDK == "" || r.Source == "" || len(r.Faults) == 0 && r.Rule == "" && r.Own == "" {
			t.Errorf("the row is not whole: %+v", r)
		}
	}
}
