package convir

// The faults that reading a whole body can meet.
const (
	WrongType     FaultCode = "wrong_type"      // a field of another JSON type than the dialect's
	MissingField  FaultCode = "missing_field"   // a field that the dialect requires is absent or null
	NotAnObject   FaultCode = "not_an_object"   // the body, or an element of it that must be an object, is none
	ArgsNotJSON   FaultCode = "args_not_json"   // a call's arguments are not JSON
	ArgsNotObject FaultCode = "args_not_object" // a call's arguments are JSON but no object
	ArgsEmpty     FaultCode = "args_empty"      // a call's arguments are "", null or absent where a JSON object belongs

	// Of required fields alone (see [Lacks]).
	IndexMissing  FaultCode = "index_missing"   // a choice without an index
	RoleMissing   FaultCode = "role_missing"    // a reply or message without a role
	CallIDMissing FaultCode = "call_id_missing" // a call without an id
	NameMissing   FaultCode = "name_missing"    // a call without a name
	TypeMissing   FaultCode = "type_missing"    // a call without its type
)
