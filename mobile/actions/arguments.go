package actions

import (
	"maps"
	"slices"
	"sync"

	core "github.com/rehearsal-sdk/rehearsal/actions"
)

// Arguments are what an action is given: text keys and values. (Actions module, section 2.) They may be used from several
// threads. What is set is copied, nested arguments and lists included, and what is read is a copy.
type Arguments struct {
	mutex  sync.Mutex
	values core.Arguments
	// shared says that somebody else reads the map: it is copied before it is changed. What it holds never changes.
	shared bool
}

// NewArguments makes arguments without a key.
func NewArguments() *Arguments { return &Arguments{} }

// argumentsOf gives nil for what is no object.
func argumentsOf(value any) *Arguments {
	switch object := value.(type) {
	case map[string]any:
		return &Arguments{values: object, shared: true}
	case core.Arguments:
		return &Arguments{values: object, shared: true}
	}
	return nil
}

// snapshot gives the map as it is now, for reading only. It is nil for nil.
func (a *Arguments) snapshot() core.Arguments {
	if a == nil {
		return nil
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.shared = true
	return a.values
}

// object is snapshot as a value inside of others.
func (a *Arguments) object() map[string]any {
	if object := a.snapshot(); object != nil {
		return object
	}
	return map[string]any{}
}

func (a *Arguments) get(key string) (value any, present bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	value, present = a.values[valid(key)]
	return value, present
}

func (a *Arguments) put(key string, value any) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.unshare()
	a.values[valid(key)] = value
}

// unshare makes the map one that may be changed.
func (a *Arguments) unshare() {
	if a.values == nil {
		a.values = core.Arguments{}
	} else if a.shared {
		a.values = maps.Clone(a.values)
	}
	a.shared = false
}

// SetNull sets a key to null.
func (a *Arguments) SetNull(key string) {
	defer contain()
	a.put(key, nil)
}

// SetBool sets a key to a boolean.
func (a *Arguments) SetBool(key string, value bool) {
	defer contain()
	a.put(key, value)
}

// SetInt64 sets a key to a whole number.
func (a *Arguments) SetInt64(key string, value int64) {
	defer contain()
	a.put(key, value)
}

// SetDouble sets a key to a number.
func (a *Arguments) SetDouble(key string, value float64) {
	defer contain()
	a.put(key, value)
}

// SetString sets a key to a text. Null is the empty text.
func (a *Arguments) SetString(key, value string) {
	defer contain()
	a.put(key, valid(value))
}

// SetList sets a key to what a list holds now.
func (a *Arguments) SetList(key string, value *ArgumentList) {
	defer contain()
	a.put(key, value.snapshot())
}

// SetArguments sets a key to what other arguments are now.
func (a *Arguments) SetArguments(key string, value *Arguments) {
	defer contain()
	a.put(key, value.object())
}

// SetValue sets a key to a value of any type.
func (a *Arguments) SetValue(key string, value *Value) {
	defer contain()
	a.put(key, value.get())
}

// Remove removes a key. It reports whether there was one.
func (a *Arguments) Remove(key string) (removed bool) {
	defer contain()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	key = valid(key)
	if _, removed = a.values[key]; removed {
		a.unshare()
		delete(a.values, key)
	}
	return removed
}

// Has reports whether there is a value under a key and it is not null.
func (a *Arguments) Has(key string) (has bool) {
	defer contain()
	return a.snapshot().Has(valid(key))
}

// TypeOf gives the type of the value under a key: one of the constants that begin with Type, [TypeAbsent] when there is no such key.
func (a *Arguments) TypeOf(key string) (kind int32) {
	defer contain()
	return a.GetValue(key).Type()
}

// Keys gives the keys in sorted order.
func (a *Arguments) Keys() (keys *StringList) {
	defer contain()
	return &StringList{slices.Sorted(maps.Keys(a.snapshot()))}
}

// GetBool gives the boolean under a key, or the fallback when there is none.
func (a *Arguments) GetBool(key string, fallback bool) (value bool) {
	defer contain()
	return a.GetValue(key).AsBool(fallback)
}

// GetInt64 gives the whole number under a key, or the fallback when there is none that fits.
func (a *Arguments) GetInt64(key string, fallback int64) (value int64) {
	defer contain()
	return a.GetValue(key).AsInt64(fallback)
}

// GetDouble gives the number under a key, whole or not, or the fallback when there is none.
func (a *Arguments) GetDouble(key string, fallback float64) (value float64) {
	defer contain()
	return a.GetValue(key).AsDouble(fallback)
}

// GetString gives the text under a key, or the fallback when there is none.
func (a *Arguments) GetString(key, fallback string) (value string) {
	defer contain()
	return a.GetValue(key).AsString(fallback)
}

// GetList gives the list under a key, or null when there is none.
func (a *Arguments) GetList(key string) (value *ArgumentList) {
	defer contain()
	return a.GetValue(key).AsList()
}

// GetArguments gives the arguments under a key, or null when there are none.
func (a *Arguments) GetArguments(key string) (value *Arguments) {
	defer contain()
	return a.GetValue(key).AsArguments()
}

// GetValue gives the value under a key, or null when there is no such key.
func (a *Arguments) GetValue(key string) (value *Value) {
	defer contain()
	return valueOf(a.get(key))
}

// JSON gives the arguments as a JSON object with sorted keys. The error is for a number that is infinite or none.
func (a *Arguments) JSON() (json string, err error) {
	defer containAs(&err)
	return toJSON(a.object())
}
