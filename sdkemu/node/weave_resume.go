package node

import (
	"errors"
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// weaveResume changes, in goja's syntax tree, the generators that esbuild made of async generators, so that they work
// with bundler/asyncgen.js: every yield x becomes __resume(yield x), where esbuild made an await of x also
// __resume((__awaited = x, yield __AWAIT)), yield* of esbuild's __yieldStar becomes yield* of __delegate, and every
// catch block first throws a __Return on.
func weaveResume(tree *ast.Program) error {
	w := resumeWeaver{seen: map[uintptr]bool{}}
	w.walk(reflect.ValueOf(tree), false)
	return w.err
}

// Names that bundler/asyncgen.js defines, and esbuild's.
const (
	resumeName    = "__resume"
	returnName    = "__Return"
	delegateName  = "__delegate"
	generatorName = "__asyncGenerator"
	yieldStarName = "__yieldStar"
	awaitMarkName = "__AWAIT"
	awaitedName   = "__awaited"
	readyName     = "__ready"
	awaitName     = "__await" // of esbuild; it may put a number behind
)

type resumeWeaver struct {
	seen map[uintptr]bool
	err  error
}

var (
	expressionType = reflect.TypeFor[ast.Expression]()
	fileType       = reflect.TypeFor[*file.File]()
)

func identifier(name string, at file.Idx) *ast.Identifier {
	return &ast.Identifier{Name: unistring.NewFromString(name), Idx: at}
}

// isCallOf reports whether e calls the function of that name, and gives the call.
func isCallOf(e ast.Expression, name string) (*ast.CallExpression, bool) {
	call, ok := e.(*ast.CallExpression)
	if !ok {
		return nil, false
	}
	callee, ok := call.Callee.(*ast.Identifier)
	return call, ok && callee.Name.String() == name
}

// walk goes through a value of the syntax tree; inside tells that it belongs to an async generator.
func (w *resumeWeaver) walk(v reflect.Value, inside bool) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		w.walk(v.Elem(), inside)
		if y, ok := v.Interface().(*ast.YieldExpression); ok && inside && v.CanSet() && v.Type() == expressionType {
			w.yield(v, y)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Type() == fileType || w.seen[v.Pointer()] {
			return
		}
		w.seen[v.Pointer()] = true
		w.node(v, inside)
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), inside)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				w.walk(v.Field(i), inside)
			}
		}
	}
}

func (w *resumeWeaver) yield(at reflect.Value, y *ast.YieldExpression) {
	if y.Delegate {
		call, ok := isCallOf(y.Argument, yieldStarName)
		if !ok {
			w.err = errors.New("a yield* in an async generator that esbuild did not lower")
			return
		}
		call.Callee = identifier(delegateName, call.LeftParenthesis)
		return
	}
	awaited, ok := awaitOf(y.Argument)
	if !ok {
		at.Set(reflect.ValueOf(resumed(y, y.Yield)))
		return
	}
	taken := &ast.AssignExpression{Operator: token.ASSIGN, Left: identifier(awaitedName, y.Yield), Right: awaited}
	y.Argument = identifier(awaitMarkName, y.Yield)
	if isNext(awaited) { // it may be there already
		at.Set(reflect.ValueOf(&ast.ConditionalExpression{
			Test:       &ast.BinaryExpression{Operator: token.STRICT_EQUAL, Left: taken, Right: identifier(readyName, y.Yield), Comparison: true},
			Consequent: identifier(readyName, y.Yield),
			Alternate:  resumed(y, y.Yield),
		}))
		return
	}
	at.Set(reflect.ValueOf(&ast.SequenceExpression{Sequence: []ast.Expression{taken, resumed(y, y.Yield)}}))
}

// resumed is __resume(e).
func resumed(e ast.Expression, at file.Idx) ast.Expression {
	return &ast.CallExpression{Callee: identifier(resumeName, at), LeftParenthesis: at, ArgumentList: []ast.Expression{e}, RightParenthesis: at}
}

// awaitOf gives the x of esbuild's new __await(x).
func awaitOf(e ast.Expression) (ast.Expression, bool) {
	made, ok := e.(*ast.NewExpression)
	if !ok || len(made.ArgumentList) != 1 {
		return nil, false
	}
	class, ok := made.Callee.(*ast.Identifier)
	if !ok {
		return nil, false
	}
	number, ok := strings.CutPrefix(class.Name.String(), awaitName)
	return made.ArgumentList[0], ok && strings.Trim(number, "0123456789") == ""
}

// isNext reports whether e is a call of an iterator's next().
func isNext(e ast.Expression) bool {
	call, ok := e.(*ast.CallExpression)
	if !ok || len(call.ArgumentList) != 0 {
		return false
	}
	method, ok := call.Callee.(*ast.DotExpression)
	return ok && method.Identifier.Name.String() == "next"
}

func (w *resumeWeaver) node(v reflect.Value, inside bool) {
	switch x := v.Interface().(type) {
	case *ast.CallExpression:
		if call, ok := isCallOf(x, generatorName); ok && len(call.ArgumentList) == 3 {
			if body, ok := call.ArgumentList[2].(*ast.FunctionLiteral); ok && body.Generator {
				w.walk(reflect.ValueOf(body.Body), true)
				return
			}
			w.err = errors.New("a call of esbuild's async generator helper without a generator")
			return
		}
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		inside = false
	case *ast.CatchStatement:
		w.walk(v.Elem(), inside)
		if inside {
			w.catch(x)
		}
		return
	}
	w.walk(v.Elem(), inside)
}

// catch makes a catch block let a __Return pass.
func (w *resumeWeaver) catch(c *ast.CatchStatement) {
	if c.Parameter == nil {
		c.Parameter = identifier("__caught", c.Catch)
	}
	caught, ok := c.Parameter.(*ast.Identifier)
	if !ok {
		w.err = errors.New("a catch clause with a pattern in an async generator")
		return
	}
	name := caught.Name.String()
	c.Body.List = append([]ast.Statement{&ast.IfStatement{
		If:         c.Catch,
		Test:       &ast.BinaryExpression{Operator: token.INSTANCEOF, Left: identifier(name, c.Catch), Right: identifier(returnName, c.Catch), Comparison: true},
		Consequent: &ast.ThrowStatement{Throw: c.Catch, Argument: identifier(name, c.Catch)},
	}}, c.Body.List...)
}
