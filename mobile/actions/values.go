package actions

import (
	"bytes"

	core "github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
)

// Value is one value of the types that are named by the constants that begin with Type. It does not change.
type Value struct {
	any any
}

// valueOf gives nil for what is absent.
func valueOf(value any, present bool) *Value {
	if !present {
		return nil
	}
	return &Value{value}
}

func (v *Value) get() any {
	if v == nil {
		return nil
	}
	return v.any
}

// NullValue makes the value null.
func NullValue() *Value {
	defer contain()
	return &Value{}
}

// BoolValue makes a boolean value.
func BoolValue(value bool) *Value {
	defer contain()
	return &Value{value}
}

// Int64Value makes a whole number.
func Int64Value(value int64) *Value {
	defer contain()
	return &Value{value}
}

// DoubleValue makes a number.
func DoubleValue(value float64) *Value {
	defer contain()
	return &Value{value}
}

// StringValue makes a text.
func StringValue(value string) *Value {
	defer contain()
	return &Value{valid(value)}
}

// ListValue makes a value of what the list holds now; null is an empty list.
func ListValue(list *ArgumentList) (value *Value) {
	defer contain()
	return &Value{list.snapshot()}
}

// ArgumentsValue makes a value of what the arguments are now; null is none.
func ArgumentsValue(arguments *Arguments) (value *Value) {
	defer contain()
	return &Value{arguments.object()}
}

// ValueFromJSON reads any JSON value, by the rules of [ArgumentsFromJSON].
func ValueFromJSON(json string) (value *Value, err error) {
	defer containAs(&err)
	read, err := actionsjson.Decode([]byte(json))
	if err != nil {
		return nil, leaving(err, CodeInvalidJSON)
	}
	return &Value{read}, nil
}

// Type gives the type: one of the constants that begin with Type.
func (v *Value) Type() int32 {
	defer contain()
	if v == nil {
		return TypeAbsent
	}
	return typeOf(v.any)
}

func typeOf(value any) int32 {
	switch value.(type) {
	case bool:
		return TypeBool
	case int64:
		return TypeInt64
	case uint64:
		return TypeUint64
	case float64:
		return TypeDouble
	case string:
		return TypeString
	case []any:
		return TypeList
	case map[string]any, core.Arguments:
		return TypeArguments
	}
	return TypeNull
}

// AsBool gives the boolean, or the fallback when the value is none.
func (v *Value) AsBool(fallback bool) bool {
	defer contain()
	return as(v.get(), fallback)
}

// AsInt64 gives the whole number, or the fallback when the value is none that fits.
func (v *Value) AsInt64(fallback int64) int64 {
	defer contain()
	return as(v.get(), fallback)
}

// AsDouble gives the number, whole or not, or the fallback when the value is none. Whole numbers above 2^53 are rounded.
func (v *Value) AsDouble(fallback float64) float64 {
	defer contain()
	return double(v.get(), fallback)
}

// AsString gives the text, or the fallback when the value is none.
func (v *Value) AsString(fallback string) string {
	defer contain()
	return as(v.get(), valid(fallback))
}

// AsList gives a list of its own, or null when the value is none.
func (v *Value) AsList() *ArgumentList {
	defer contain()
	return listOf(v.get())
}

// AsArguments gives arguments of their own, or null when the value is none.
func (v *Value) AsArguments() *Arguments {
	defer contain()
	return argumentsOf(v.get())
}

// JSON gives the value as JSON. The error is for a number that is infinite or none.
func (v *Value) JSON() (json string, err error) {
	defer containAs(&err)
	return toJSON(v.get())
}

func as[T any](value any, fallback T) T {
	if typed, ok := value.(T); ok {
		return typed
	}
	return fallback
}

func double(value any, fallback float64) float64 {
	switch n := value.(type) {
	case int64:
		return float64(n)
	case uint64:
		return float64(n)
	}
	return as(value, fallback)
}

func toJSON(value any) (string, error) {
	text, err := actionsjson.Append(nil, value)
	if err != nil {
		return "", leaving(err, StatusInvalidArguments)
	}
	return string(text), nil
}

// ArgumentsFromJSON reads a JSON object; the text "null" is no arguments. Reading is strict: a name that comes twice, text after
// the object and nesting deeper than 128 are refused with [CodeInvalidJSON]. Whole numbers stay exact to 64 bits.
func ArgumentsFromJSON(json string) (arguments *Arguments, err error) {
	defer containAs(&err)
	return argumentsFromJSON([]byte(json))
}

// ArgumentsFromBytes is [ArgumentsFromJSON] for JSON in UTF-8, such as the body of a push message. The bytes are not kept.
func ArgumentsFromBytes(json []byte) (arguments *Arguments, err error) {
	defer containAs(&err)
	// The app owns the bytes, and may write into them meanwhile.
	return argumentsFromJSON(bytes.Clone(json))
}

func argumentsFromJSON(json []byte) (*Arguments, error) {
	read, err := actionsjson.DecodeArguments(json)
	if err != nil {
		return nil, leaving(err, CodeInvalidJSON)
	}
	return &Arguments{values: read}, nil
}
