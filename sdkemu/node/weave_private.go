package node

import (
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// weavePrivate makes what reads a private field or method cheaper, in goja's syntax tree. TypeScript compiles both to
// a call of its helper __classPrivateFieldGet, of which an SDK makes some twenty a chunk:
//
//	__classPrivateFieldGet(x, fields, "f")             becomes fields.get(x) ?? the call
//	__classPrivateFieldGet(x, instances, "m", method)  becomes instances.has(x) ? method : the call
//
// The helper does the same when x is of the class (TypeScript 5, src/compiler/factory/emitHelpers.ts); where it is not,
// or the value is null or undefined, the call itself tells. TestPrivateFieldHelpers holds every bundle's to that text.
// Only variables that are given a new WeakMap or WeakSet are asked: of a static member the helper is given the class.
func weavePrivate(tree *ast.Program) {
	w := privateWeaver{made: map[string]string{}}
	visitNodes(tree, w.note)
	visitNodes(tree, w.weave)
}

const privateGetName = "__classPrivateFieldGet" // esbuild may put a number behind

type privateWeaver struct {
	made map[string]string // the class of what a variable is given
}

// note keeps what a variable is given.
func (w *privateWeaver) note(v reflect.Value) {
	var target, value any
	switch x := v.Interface().(type) {
	case *ast.AssignExpression:
		target, value = x.Left, x.Right
	case *ast.Binding:
		target, value = x.Target, x.Initializer
	}
	name, ok := target.(*ast.Identifier)
	if !ok || value == nil {
		return
	}
	class := "something else"
	if made, ok := value.(*ast.NewExpression); ok {
		if callee, ok := made.Callee.(*ast.Identifier); ok {
			class = callee.Name.String()
		}
	}
	if before, ok := w.made[name.Name.String()]; ok && before != class {
		class = "something else"
	}
	w.made[name.Name.String()] = class
}

func (w *privateWeaver) weave(v reflect.Value) {
	call, ok := v.Interface().(*ast.CallExpression)
	if !ok || !v.CanSet() || v.Type() != expressionType {
		return
	}
	if quick := w.quickGet(call); quick != nil {
		v.Set(reflect.ValueOf(quick))
	}
}

// quickGet is what takes the place of a call of the helper, nil where the call stays.
func (w *privateWeaver) quickGet(call *ast.CallExpression) ast.Expression {
	callee, ok := call.Callee.(*ast.Identifier)
	if !ok {
		return nil
	}
	number, ok := strings.CutPrefix(callee.Name.String(), privateGetName)
	if !ok || strings.Trim(number, "0123456789") != "" || len(call.ArgumentList) < 3 {
		return nil
	}
	receiver := again(call.ArgumentList[0])
	known, isName := call.ArgumentList[1].(*ast.Identifier)
	kind, isText := call.ArgumentList[2].(*ast.StringLiteral)
	if receiver == nil || !isName || !isText {
		return nil
	}
	ask := func(method string) ast.Expression {
		return &ast.CallExpression{
			Callee:          &ast.DotExpression{Left: again(known), Identifier: *identifier(method, callee.Idx)},
			LeftParenthesis: call.LeftParenthesis, ArgumentList: []ast.Expression{receiver}, RightParenthesis: call.RightParenthesis,
		}
	}
	class := w.made[known.Name.String()]
	switch {
	case kind.Value.String() == "f" && len(call.ArgumentList) == 3 && class == "WeakMap":
		return &ast.BinaryExpression{Operator: token.COALESCE, Left: ask("get"), Right: call}
	case kind.Value.String() == "m" && len(call.ArgumentList) == 4 && class == "WeakSet":
		if method := again(call.ArgumentList[3]); method != nil {
			return &ast.ConditionalExpression{Test: ask("has"), Consequent: method, Alternate: call}
		}
	}
	return nil
}

// again copies an expression that may be evaluated once more unseen.
func again(e ast.Expression) ast.Expression {
	switch x := e.(type) {
	case *ast.Identifier:
		return identifier(x.Name.String(), x.Idx)
	case *ast.ThisExpression:
		return &ast.ThisExpression{Idx: x.Idx}
	}
	return nil
}
