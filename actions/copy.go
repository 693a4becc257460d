package actions

import "strings"

// maxDepth bounds the nesting of arguments, and with it the stack that walking them takes; a value that holds itself meets it.
const maxDepth = 128

// fault says what in a value cannot be an argument, and where: path has the innermost key first.
type fault struct {
	path    []string
	message string
}

// pointer gives the place as a JSON Pointer.
func (f *fault) pointer() string {
	pointer := ""
	for _, key := range f.path {
		pointer = "/" + escapePointer(key) + pointer
	}
	return pointer
}

func escapePointer(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

func (f *fault) in(key string) *fault {
	f.path = append(f.path, key)
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
		return nil, &Error{Code: Code(StatusInvalidArguments), Message: "the value at " + quote(problem.pointer()) + " " + problem.message}
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
	case uint64:
		return whole(v), nil
	case map[string]any:
		return boxed(copyMap(v, depth))
	case []any:
		return copyList(v, depth)
	case int:
		return int64(v), nil
	case Arguments:
		return boxed(copyMap(v, depth))
	case float32:
		return float64(v), nil
	case int8:
		return int64(v), nil
	case int16:
		return int64(v), nil
	case int32:
		return int64(v), nil
	case uint:
		return whole(uint64(v)), nil
	case uint8:
		return int64(v), nil
	case uint16:
		return int64(v), nil
	case uint32:
		return int64(v), nil
	case uintptr:
		return whole(uint64(v)), nil
	case []string:
		return copyList(boxAll(v), depth)
	case []map[string]any:
		return copyList(boxAll(v), depth)
	case [][]any:
		return copyList(boxAll(v), depth)
	case map[string]string:
		copied := make(map[string]any, len(v))
		for key, text := range v {
			copied[key] = text
		}
		return boxed(copyMap(copied, depth))
	case number:
		return copyNumber(v)
	}
	return nil, &fault{message: "is a Go value that cannot be an argument: allowed are nil, booleans, numbers, strings, []any and map[string]any"}
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
	return &fault{message: "is nested more than " + decimal(maxDepth) + " levels deep"}
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

// whole gives an int64 when the number fits into one.
func whole(n uint64) any {
	if n>>63 == 0 {
		return int64(n)
	}
	return n
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
