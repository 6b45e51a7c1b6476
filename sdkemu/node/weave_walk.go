package node

import (
	"reflect"

	"github.com/dop251/goja/ast"
)

// visitNodes goes through goja's syntax tree and calls visit with every node behind those below it: with the pointer to
// it, once, and with each place that holds one as an interface, where it may be replaced.
func visitNodes(tree *ast.Program, visit func(v reflect.Value)) {
	seen := map[uintptr]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
				visit(v)
			}
		case reflect.Pointer:
			if v.IsNil() || v.Type() == fileType || seen[v.Pointer()] {
				return
			}
			seen[v.Pointer()] = true
			walk(v.Elem())
			visit(v)
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		}
	}
	walk(reflect.ValueOf(tree))
}
