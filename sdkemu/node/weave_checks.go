package node

import (
	_ "embed"
	"reflect"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// wordsScript defines the functions that weaveChecks calls.
//
//go:embed words.js
var wordsScript string

const wordsName = "__words"

// weaveChecks puts calls of words.js into goja's syntax tree wherever an engine throws a TypeError by itself. The
// bundle must have its optional chains lowered. No text is rewritten: what V8 says of an expression is printed from
// the tree.
func weaveChecks(tree *ast.Program) {
	w := checkWeaver{seen: map[uintptr]bool{}}
	w.walk(reflect.ValueOf(tree))
}

type checkWeaver struct{ seen map[uintptr]bool }

func literal(s string) ast.Expression {
	return &ast.StringLiteral{Literal: "''", Value: unistring.NewFromString(s)}
}

// check calls one of the functions of words.js.
func check(function string, at file.Idx, args ...ast.Expression) ast.Expression {
	return &ast.CallExpression{
		Callee:          &ast.DotExpression{Left: identifier(wordsName, at), Identifier: *identifier(function, at)},
		LeftParenthesis: at, ArgumentList: args, RightParenthesis: at,
	}
}

// children walks an expression where it stands, so that it may be replaced.
func (w *checkWeaver) children(exprs ...*ast.Expression) {
	for _, e := range exprs {
		w.walk(reflect.ValueOf(e).Elem())
	}
}

// walk goes through a value of the syntax tree, inner expressions first.
func (w *checkWeaver) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		w.walk(v.Elem())
		if e, ok := v.Interface().(ast.Expression); ok && v.CanSet() && v.Type() == expressionType {
			if r := readCheck(e); r != nil {
				v.Set(reflect.ValueOf(r))
			}
		}
	case reflect.Pointer:
		if v.IsNil() || v.Type() == fileType || w.seen[v.Pointer()] {
			return
		}
		w.seen[v.Pointer()] = true
		if !w.special(v.Interface()) {
			w.walk(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				w.walk(v.Field(i))
			}
		}
	}
}

// special handles the nodes whose parts are not all read as values. It reports whether it did.
func (w *checkWeaver) special(node any) bool {
	switch x := node.(type) {
	case *ast.AssignExpression:
		w.assign(x)
	case *ast.UnaryExpression:
		return w.unary(x)
	case *ast.Binding:
		w.binding(x)
	case *ast.ForOfStatement:
		w.forOf(x)
	case *ast.CallExpression:
		spreads(x.ArgumentList, true)
		return w.call(x)
	case *ast.NewExpression:
		spreads(x.ArgumentList, true)
		return false
	case *ast.ArrayLiteral:
		spreads(x.Value, false)
		return false
	case *ast.TemplateLiteral:
		if x.Tag == nil {
			return false
		}
		for i := range x.Expressions {
			w.children(&x.Expressions[i])
		}
	case *ast.ForIntoExpression: // an assignment target
	case *ast.PropertyShort:
		w.children(&x.Initializer)
	case *ast.PropertyKeyed:
		if x.Computed {
			w.children(&x.Key)
		}
		w.children(&x.Value)
	case *ast.ObjectPattern, *ast.ArrayPattern:
		w.pattern(x)
	case *ast.MethodDefinition:
		if x.Computed {
			w.children(&x.Key)
		}
		w.walk(reflect.ValueOf(x.Body))
	case *ast.FieldDefinition:
		if x.Computed {
			w.children(&x.Key)
		}
		w.children(&x.Initializer)
	default:
		return false
	}
	return true
}

func (w *checkWeaver) assign(x *ast.AssignExpression) {
	if x.Operator == token.ASSIGN {
		w.target(x.Left, "")
	} else {
		w.target(x.Left, "read")
	}
	source := sourceText(x.Right)
	w.children(&x.Right)
	if p, ok := x.Left.(*ast.ObjectPattern); ok {
		x.Right = check("destructure", x.Right.Idx0(), x.Right, literal(firstKey(p)), literal(source))
	}
}

// target walks what is assigned to: the parts that lead to it are read, it is not. Function checks the object that it
// belongs to; "" leaves that to setCheck.
func (w *checkWeaver) target(e ast.Expression, function string) {
	switch x := e.(type) {
	case *ast.DotExpression:
		w.children(&x.Left)
		if function != "" && !isSuper(x.Left) {
			x.Left = check(function, x.Left.Idx0(), x.Left, literal(x.Identifier.Name.String()))
		}
	case *ast.BracketExpression:
		w.children(&x.Left, &x.Member)
		if function != "" && !isSuper(x.Left) && repeatable(x.Member) {
			x.Left = check(function, x.Left.Idx0(), x.Left, x.Member)
		}
	case *ast.Identifier:
	default:
		w.walk(reflect.ValueOf(e))
	}
}

func (w *checkWeaver) unary(x *ast.UnaryExpression) bool {
	switch x.Operator {
	case token.DELETE, token.INCREMENT, token.DECREMENT:
		w.target(x.Operand, "read")
		return true
	case token.TYPEOF:
		_, name := x.Operand.(*ast.Identifier) // may be undeclared
		return name
	}
	return false
}

func (w *checkWeaver) binding(x *ast.Binding) {
	w.walk(reflect.ValueOf(&x.Target).Elem())
	if x.Initializer == nil {
		return
	}
	source, iterated := sourceText(x.Initializer), iteratedText(x.Initializer)
	w.children(&x.Initializer)
	at := x.Initializer.Idx0()
	switch p := x.Target.(type) {
	case *ast.ObjectPattern:
		x.Initializer = check("destructure", at, x.Initializer, literal(firstKey(p)), literal(source))
	case *ast.ArrayPattern:
		iteratedCall(x.Initializer)
		x.Initializer = check("iterate", at, x.Initializer, literal(iterated))
	}
}

func (w *checkWeaver) forOf(x *ast.ForOfStatement) {
	source := literal(iteratedText(x.Source))
	w.children(&x.Source)
	iteratedCall(x.Source)
	function, rest := "iterate", []ast.Expression{source}
	if d, ok := x.Into.(*ast.ForDeclaration); ok {
		w.walk(reflect.ValueOf(&d.Target).Elem())
		switch p := d.Target.(type) {
		case *ast.ObjectPattern:
			function, rest = "iterateObjects", append(rest, literal(firstKey(p)))
		case *ast.ArrayPattern:
			function = "iterateArrays"
		}
	}
	w.walk(reflect.ValueOf(&x.Body).Elem())
	x.Source = check(function, x.Source.Idx0(), append([]ast.Expression{x.Source}, rest...)...)
}

// call makes a method call one call of words.js, which checks the object and the method and calls it.
func (w *checkWeaver) call(x *ast.CallExpression) bool {
	switch callee := x.Callee.(type) {
	case *ast.DotExpression:
		if isSuper(callee.Left) {
			return false
		}
		source := literal(sourceText(callee))
		w.children(&callee.Left)
		for i := range x.ArgumentList {
			w.children(&x.ArgumentList[i])
		}
		made := check("call", callee.Left.Idx0(), callee.Left, literal(callee.Identifier.Name.String()), source).(*ast.CallExpression)
		x.Callee, x.ArgumentList = made.Callee, append(made.ArgumentList, x.ArgumentList...)
		return true
	case *ast.BracketExpression:
		w.target(callee, "read")
		for i := range x.ArgumentList {
			w.children(&x.ArgumentList[i])
		}
		return true
	}
	return false
}

// iteratedCall makes a checked method call one whose result is iterated over.
func iteratedCall(e ast.Expression) {
	call, ok := e.(*ast.CallExpression)
	if !ok {
		return
	}
	if callee, ok := call.Callee.(*ast.DotExpression); ok && isWords(callee.Left) && callee.Identifier.Name == "call" {
		callee.Identifier.Name = "callIterated"
	}
}

// spreads puts checks on what arguments or the elements of an array are spread from. V8 words a last argument of its
// own way (Runtime_SpreadIterablePrepare).
func spreads(list []ast.Expression, arguments bool) {
	for i, e := range list {
		spread, ok := e.(*ast.SpreadElement)
		if !ok {
			continue
		}
		at, source := spread.Expression.Idx0(), sourceText(spread.Expression)
		switch {
		case !arguments:
			spread.Expression = check("iterate", at, spread.Expression, literal(source))
		case i == len(list)-1:
			spread.Expression = check("spread", at, spread.Expression, literal(source))
		default:
			spread.Expression = check("iterate", at, spread.Expression, literal(""))
		}
	}
}

// pattern walks the defaults of a destructuring pattern; its targets stay.
func (w *checkWeaver) pattern(p any) {
	switch x := p.(type) {
	case *ast.ObjectPattern:
		for _, property := range x.Properties {
			switch y := property.(type) {
			case *ast.PropertyShort:
				w.children(&y.Initializer)
			case *ast.PropertyKeyed:
				w.element(y.Value)
			}
		}
	case *ast.ArrayPattern:
		for _, e := range x.Elements {
			if e != nil {
				w.element(e)
			}
		}
	}
}

func (w *checkWeaver) element(e ast.Expression) {
	switch x := e.(type) {
	case *ast.AssignExpression:
		w.children(&x.Right)
		w.pattern(x.Left)
	case *ast.Binding:
		w.children(&x.Initializer)
		w.pattern(x.Target)
	default:
		w.pattern(e)
	}
}

// readCheck is what stands for an expression that is read as a value; nil for the expression itself.
func readCheck(e ast.Expression) ast.Expression {
	switch x := e.(type) {
	case *ast.DotExpression:
		if _, this := x.Left.(*ast.ThisExpression); this || isSuper(x.Left) || isWords(x.Left) {
			return nil
		}
		x.Left = check("read", x.Left.Idx0(), x.Left, literal(x.Identifier.Name.String()))
	case *ast.BracketExpression:
		if isSuper(x.Left) {
			return nil
		}
		if !repeatable(x.Member) {
			return check("get", x.Left.Idx0(), x.Left, x.Member)
		}
		x.Left = check("read", x.Left.Idx0(), x.Left, x.Member)
	case *ast.AssignExpression:
		return setCheck(x)
	case *ast.BinaryExpression:
		if _, private := x.Left.(*ast.PrivateIdentifier); x.Operator == token.IN && !private {
			return check("has", x.Left.Idx0(), x.Left, x.Right)
		}
	}
	return nil
}

// setCheck makes an assignment to a property a call, because V8 looks at the object only after it has the value.
func setCheck(x *ast.AssignExpression) ast.Expression {
	if x.Operator != token.ASSIGN {
		return nil
	}
	switch target := x.Left.(type) {
	case *ast.DotExpression:
		if _, this := target.Left.(*ast.ThisExpression); !this && !isSuper(target.Left) {
			return check("set", target.Left.Idx0(), target.Left, literal(target.Identifier.Name.String()), x.Right)
		}
	case *ast.BracketExpression:
		if !isSuper(target.Left) {
			return check("set", target.Left.Idx0(), target.Left, target.Member, x.Right)
		}
	}
	return nil
}

func isSuper(e ast.Expression) bool {
	_, ok := e.(*ast.SuperExpression)
	return ok
}

func isWords(e ast.Expression) bool {
	i, ok := e.(*ast.Identifier)
	return ok && i.Name.String() == wordsName
}

// repeatable tells an expression that may be evaluated twice unseen.
func repeatable(e ast.Expression) bool {
	switch e.(type) {
	case *ast.Identifier, *ast.StringLiteral, *ast.NumberLiteral, *ast.ThisExpression:
		return true
	}
	return false
}

// firstKey is the name that V8 gives of an object pattern: its first property's.
func firstKey(p *ast.ObjectPattern) string {
	if len(p.Properties) == 0 {
		return ""
	}
	switch x := p.Properties[0].(type) {
	case *ast.PropertyShort:
		return x.Name.Name.String()
	case *ast.PropertyKeyed:
		if s, ok := x.Key.(*ast.StringLiteral); ok && !x.Computed {
			return s.Value.String()
		}
	}
	return ""
}

// sourceText prints an expression as V8 does in messages (src/ast/prettyprinter.cc, CallPrinter); "" where it prints
// none.
func sourceText(e ast.Expression) string {
	switch x := e.(type) {
	case *ast.Identifier:
		return x.Name.String()
	case *ast.ThisExpression:
		return "this"
	case *ast.DotExpression:
		return objectText(x.Left) + "." + x.Identifier.Name.String()
	case *ast.BracketExpression:
		if s, ok := x.Member.(*ast.StringLiteral); ok {
			return objectText(x.Left) + "." + s.Value.String()
		}
		return objectText(x.Left) + "[" + sourceText(x.Member) + "]"
	case *ast.CallExpression:
		if callee := sourceText(x.Callee); callee != "" {
			return callee + "(...)"
		}
	case *ast.NumberLiteral:
		return x.Literal
	case *ast.StringLiteral:
		return `"` + x.Value.String() + `"`
	case *ast.NullLiteral:
		return "null"
	}
	return ""
}

func objectText(e ast.Expression) string {
	if s := sourceText(e); s != "" {
		return s
	}
	return "(intermediate value)"
}

// iteratedText is the same for what is iterated over, where V8 adds to a call that it may be the function's fault.
func iteratedText(e ast.Expression) string {
	if call, ok := e.(*ast.CallExpression); ok {
		if callee := sourceText(call.Callee); callee != "" {
			return callee + " is not a function or its return value"
		}
	}
	return sourceText(e)
}
