package actions

// maxDepth bounds the nesting of arguments, and with it the stack that walking them takes; a value that holds itself meets it.
const maxDepth = 128

// fault says what in a value cannot be an argument, and where.
type fault struct {
	pointer string // a JSON Pointer
	message string
}

// in says that the value is inside of another one, under a key.
func (f *fault) in(key string) *fault {
	var escaped []byte
	for i := 0; i < len(key); i++ {
		switch key[i] {
		case '~':
			escaped = append(escaped, "~0"...)
		case '/':
			escaped = append(escaped, "~1"...)
		default:
			escaped = append(escaped, key[i])
		}
	}
	f.pointer = "/" + string(escaped) + f.pointer
	return f
}

// number is what encoding/json's Number looks like from here.
type number interface {
	String() string
	Int64() (int64, error)
	Float64() (float64, error)
}

// Canonical copies a value deeply and turns it into the types that [Arguments] documents, by the rules written there. A surface
// uses it on the values of results. The error is an [Error] with the code invalid_arguments.
func Canonical(value any) (any, error) {
	copied, problem := copyValue(value, 0)
	if problem != nil {
		return nil, &Error{Code: Code(StatusInvalidArguments), Message: say("the value at $ ?", problem.pointer, problem.message)}
	}
	return copied, nil
}

// copyValue copies a value deeply and turns it into the types that [Arguments] documents.
func copyValue(value any, depth int) (any, *fault) {
	switch v := value.(type) {
	case nil, bool, int64, float64:
		return value, nil
	case string:
		if text := validText(v); text != v {
			return text, nil
		}
		return value, nil
	case []any:
		return copyList(v, depth)
	case map[string]any:
		return boxed(copyMap(v, depth))
	case Arguments:
		return boxed(copyMap(v, depth))
	case float32:
		return float64(v), nil
	case number:
		return copyNumber(v)
	case []string:
		return copyList(boxAll(v), depth)
	case []map[string]any:
		return copyList(boxAll(v), depth)
	case [][]any:
		return copyList(boxAll(v), depth)
	case map[string]string:
		values := make(map[string]any, len(v))
		for key, text := range v {
			values[key] = text
		}
		return boxed(copyMap(values, depth))
	}
	if n, signed, ok := integer(value); ok {
		if !signed && n < 0 {
			return uint64(n), nil
		}
		return n, nil
	}
	return nil,
		&fault{message: "is of a type that is not allowed: allowed are null, booleans, numbers of up to 64 bits, texts, lists and objects"}
}

// integer gives the bits of a number of any integer type but int64.
func integer(value any) (bits int64, signed, ok bool) {
	switch v := value.(type) {
	case int:
		return int64(v), true, true
	case int8:
		return int64(v), true, true
	case int16:
		return int64(v), true, true
	case int32:
		return int64(v), true, true
	case uint:
		bits = int64(v)
	case uint8:
		bits = int64(v)
	case uint16:
		bits = int64(v)
	case uint32:
		bits = int64(v)
	case uint64:
		bits = int64(v)
	case uintptr:
		bits = int64(v)
	default:
		return 0, false, false
	}
	return bits, false, true
}

func copyMap(values map[string]any, depth int) (map[string]any, *fault) {
	if depth++; depth > maxDepth {
		return nil, tooDeep()
	}
	copied := make(map[string]any, len(values))
	for key, value := range values {
		key = validText(key)
		value, problem := copyValue(value, depth)
		if problem != nil {
			return nil, problem.in(key)
		}
		copied[key] = value
	}
	if len(copied) != len(values) {
		return nil, &fault{message: "has two keys that are one once invalid characters are replaced"}
	}
	return copied, nil
}

func copyList(values []any, depth int) (any, *fault) {
	if depth++; depth > maxDepth {
		return nil, tooDeep()
	}
	copied := make([]any, len(values))
	for i, value := range values {
		value, problem := copyValue(value, depth)
		if problem != nil {
			return nil, problem.in(decimal(i))
		}
		copied[i] = value
	}
	return copied, nil
}

func tooDeep() *fault {
	return &fault{message: say("is nested more than ? levels deep", decimal(maxDepth))}
}

// boxed keeps a nil map out of an interface.
func boxed(values map[string]any, problem *fault) (any, *fault) {
	if problem != nil {
		return nil, problem
	}
	return values, nil
}

func boxAll[T any](values []T) []any {
	list := make([]any, len(values))
	for i, value := range values {
		list[i] = value
	}
	return list
}

func copyNumber(n number) (any, *fault) {
	if i, err := n.Int64(); err == nil {
		return i, nil
	}
	if u, ok := parseUint(n.String()); ok {
		return u, nil
	}
	f, err := n.Float64()
	if err != nil {
		return nil, &fault{message: "is a number that cannot be read"}
	}
	return f, nil
}

func parseUint(text string) (n uint64, ok bool) {
	const cutoff = (1<<64 - 1) / 10
	for i := 0; i < len(text); i++ {
		digit := uint64(text[i] - '0')
		if digit > 9 || n > cutoff || n*10 > n*10+digit {
			return 0, false
		}
		n = n*10 + digit
	}
	return n, text != ""
}
