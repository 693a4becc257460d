package actions

import (
	"slices"
	"sync"
)

// ArgumentList is a list inside of arguments. It may be used from several threads. What is added is copied, and what is read is a copy.
type ArgumentList struct {
	mutex  sync.Mutex
	values []any
}

// NewArgumentList makes an empty list.
func NewArgumentList() *ArgumentList {
	defer contain()
	return &ArgumentList{}
}

// listOf gives nil for what is no list.
func listOf(value any) *ArgumentList {
	if list, ok := value.([]any); ok {
		return &ArgumentList{values: slices.Clip(list)}
	}
	return nil
}

// snapshot gives what the list holds now, for reading only. Elements never change, and appending to a clipped slice copies it.
func (l *ArgumentList) snapshot() []any {
	if l == nil {
		return []any{}
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.values = slices.Clip(l.values)
	if l.values == nil {
		return []any{}
	}
	return l.values
}

func (l *ArgumentList) add(value any) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.values = append(l.values, value)
}

// AddNull adds null.
func (l *ArgumentList) AddNull() {
	defer contain()
	l.add(nil)
}

// AddBool adds a boolean.
func (l *ArgumentList) AddBool(value bool) {
	defer contain()
	l.add(value)
}

// AddInt64 adds a whole number.
func (l *ArgumentList) AddInt64(value int64) {
	defer contain()
	l.add(value)
}

// AddDouble adds a number.
func (l *ArgumentList) AddDouble(value float64) {
	defer contain()
	l.add(value)
}

// AddString adds a text.
func (l *ArgumentList) AddString(value string) {
	defer contain()
	l.add(valid(value))
}

// AddList adds what another list holds now.
func (l *ArgumentList) AddList(value *ArgumentList) {
	defer contain()
	l.add(value.snapshot())
}

// AddArguments adds what the arguments are now.
func (l *ArgumentList) AddArguments(value *Arguments) {
	defer contain()
	l.add(value.object())
}

// AddValue adds a value of any type.
func (l *ArgumentList) AddValue(value *Value) {
	defer contain()
	l.add(value.get())
}

// AddAction adds a pair of an identifier and arguments, as the argument "actions" of service.group holds them.
func (l *ArgumentList) AddAction(identifier string, arguments *Arguments) {
	defer contain()
	l.add([]any{valid(identifier), arguments.object()})
}

// Count gives the number of values.
func (l *ArgumentList) Count() (count int32) {
	defer contain()
	return int32(len(l.snapshot()))
}

// At gives the value at a position from 0, or null when there is no such position.
func (l *ArgumentList) At(position int32) (value *Value) {
	defer contain()
	list := l.snapshot()
	if position < 0 || int(position) >= len(list) {
		return nil
	}
	return &Value{list[position]}
}

// JSON gives the list as a JSON array. The error is for a number that is infinite or none.
func (l *ArgumentList) JSON() (json string, err error) {
	defer containAs(&err)
	return toJSON(l.snapshot())
}

// StringList is a list of texts. It does not change.
type StringList struct {
	texts []string
}

// Count gives the number of texts.
func (l *StringList) Count() int32 {
	defer contain()
	return int32(len(l.texts))
}

// At gives the text at a position from 0, or "" when there is no such position.
func (l *StringList) At(position int32) string {
	defer contain()
	if position < 0 || int(position) >= len(l.texts) {
		return ""
	}
	return l.texts[position]
}
