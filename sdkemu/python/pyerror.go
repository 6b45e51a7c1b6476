package python

import "fmt"

// raised is a Python exception on its way up.
type raised struct {
	class   string
	message string // str(e)
}

func (e *raised) Error() string { return e.class + ": " + e.message }

func raise(class, format string, args ...any) error {
	return &raised{class: class, message: fmt.Sprintf(format, args...)}
}

// isRaised reports whether err is a Python exception of the given class.
func isRaised(err error, class string) bool {
	e, ok := err.(*raised)
	return ok && e.class == class
}

// limitError is a named limit of the emulation that was met.
type limitError struct {
	what  string
	timed bool // it depends on the machine
}

func (e *limitError) Error() string { return "limit " + e.what }

func overLimit(name string, most int) error {
	return &limitError{what: fmt.Sprintf("%s: more than %d", name, most)}
}

// Texts of built-in exceptions that several operations share (CPython 3.11, Objects/listobject.c and abstract.c).
const (
	listIndexRange    = "list index out of range"
	listAssignRange   = "list assignment index out of range"
	stringIndexRange  = "string index out of range"
	indexSizedInteger = "cannot fit 'int' into an index-sized integer"
)

func noAttribute(v value, name string) error {
	return raise("AttributeError", "'%s' object has no attribute '%s'", v.className(), name)
}

func notIterable(v value) error {
	return raise("TypeError", "'%s' object is not iterable", v.className())
}

// assertion is a failed assert statement without a message.
func assertion() error { return raise("AssertionError", "") }
