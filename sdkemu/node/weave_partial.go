package node

import (
	"errors"
	"reflect"
	"regexp"

	"github.com/dop251/goja/ast"
)

// partialName is what the SDKs call their parser of incomplete JSON (_vendor/partial-json-parser). They give it all that
// has come of a text at every delta, so that its work grows with the square of the text's length.
var partialName = regexp.MustCompile(`^partialParse\d*$`)

// weavePartial changes, in goja's syntax tree, every parser of incomplete JSON so that it first tells the host what it
// was given, for Limits.Parse: input => … becomes input => (__host.parses(input), …).
func weavePartial(tree *ast.Program) error {
	n := 0
	var err error
	visitNodes(tree, func(v reflect.Value) {
		if v.Kind() != reflect.Pointer {
			return
		}
		if given := givenToPartial(v.Interface()); given != nil {
			n++
			if !countArgument(given) {
				err = errors.New("partialParse is no arrow function of one argument")
			}
		}
	})
	if n == 0 {
		return errors.New("no parser of incomplete JSON: the SDK calls it otherwise than partialParse")
	}
	return err
}

// givenToPartial is what a declaration or an assignment gives to the parser's variable, nil for any other node.
func givenToPartial(node any) ast.Expression {
	var target any
	var given ast.Expression
	switch x := node.(type) {
	case *ast.Binding:
		target, given = x.Target, x.Initializer
	case *ast.AssignExpression:
		target, given = x.Left, x.Right
	}
	if name, ok := target.(*ast.Identifier); ok && partialName.MatchString(name.Name.String()) {
		return given
	}
	return nil
}

// countArgument makes an arrow function begin with __host.parses of its argument.
func countArgument(e ast.Expression) bool {
	f, ok := e.(*ast.ArrowFunctionLiteral)
	if !ok || len(f.ParameterList.List) != 1 {
		return false
	}
	argument, ok := f.ParameterList.List[0].Target.(*ast.Identifier)
	if !ok {
		return false
	}
	told := parses(argument)
	switch body := f.Body.(type) {
	case *ast.ExpressionBody:
		body.Expression = &ast.SequenceExpression{Sequence: []ast.Expression{told, body.Expression}}
	case *ast.BlockStatement:
		body.List = append([]ast.Statement{&ast.ExpressionStatement{Expression: told}}, body.List...)
	default:
		return false
	}
	return true
}

func parses(argument *ast.Identifier) ast.Expression {
	at := argument.Idx
	return &ast.CallExpression{
		Callee:          &ast.DotExpression{Left: identifier("__host", at), Identifier: *identifier("parses", at)},
		LeftParenthesis: at, ArgumentList: []ast.Expression{identifier(argument.Name.String(), at)}, RightParenthesis: at,
	}
}
