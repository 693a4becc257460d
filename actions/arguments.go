package actions

// Arguments are the arguments of an action: text keys, and values of these Go types and no other.
//
//	nil
//	bool
//	int64     every whole number that fits
//	uint64    whole numbers above the largest int64
//	float64   every other number
//	string    valid UTF-8
//	[]any
//	map[string]any
//
// A perform copies its arguments, nested ones included, and on the way turns what else Go programs use into these types: the
// other integer types and float32, []string, []map[string]any, [][]any, map[string]string, Arguments, and the Number of
// encoding/json. It replaces every byte of a text that is not valid UTF-8 with U+FFFD. Anything else (structs, pointers,
// functions, named types), and nesting deeper than 128, is refused as invalid_arguments. A handler therefore owns what it is
// given, and sees integers exact to 64 bits.
//
// A key whose value is nil is there, with the value null. Has and the typed readers count it as absent.
type Arguments map[string]any

// Has reports whether there is an argument of that name and it is not null.
func (a Arguments) Has(name string) bool { return a[name] != nil }

// Text reads a required string. It does not convert: the number 5 is no text. The error is an [Error] with the code
// invalid_arguments that names the argument, what was found and what is required; so it is for the other readers.
func (a Arguments) Text(name string) (string, error) { return read[string](a, name, "a string") }

// Flag reads a required boolean.
func (a Arguments) Flag(name string) (bool, error) { return read[bool](a, name, "a boolean") }

// Integer reads a required whole number between the least and the largest int64.
func (a Arguments) Integer(name string) (int64, error) {
	return read[int64](a, name, "a whole number of at most 64 bits")
}

// Number reads a required number, whole or not. Whole numbers above 2^53 lose precision; [Arguments.Integer] keeps it.
func (a Arguments) Number(name string) (float64, error) {
	switch v := a[name].(type) {
	case int64:
		return float64(v), nil
	case uint64:
		return float64(v), nil
	}
	return read[float64](a, name, "a number")
}

// List reads a required array.
func (a Arguments) List(name string) ([]any, error) { return read[[]any](a, name, "an array") }

// Object reads a required object.
func (a Arguments) Object(name string) (Arguments, error) {
	return read[map[string]any](a, name, "an object")
}

func read[T any](a Arguments, name, required string) (T, error) {
	value, ok := a[name].(T)
	if !ok {
		return value, wrongArgument(name, a[name], required)
	}
	return value, nil
}

// wrongArgument is the error of an argument that is not what is required.
func wrongArgument(name string, found any, required string) *Error {
	state := "missing"
	if found != nil {
		state = describe(found)
	}
	return &Error{Code: Code(StatusInvalidArguments), Message: say("argument $ is ?, ? is required", name, state, required)}
}

// describe names a value's type as JSON does.
func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case int64, uint64, float64:
		return "a number"
	case string:
		return say("the string $", v)
	case []any:
		return say("an array of length ?", decimal(len(v)))
	}
	return "an object"
}
