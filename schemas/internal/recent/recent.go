// Package recent keeps what was made last.
package recent

import (
	"slices"
	"sync"
)

// Made are the values that were asked for last. The zero value has none.
type Made[V any] struct {
	lock sync.Mutex
	kept []entry[V] // the last one first
}

type entry[V any] struct {
	key  string
	made func() (V, error)
}

// Get is the value of a key, which is made if it is not among the most that were asked for last.
func (m *Made[V]) Get(key string, most int, make func() (V, error)) (V, error) {
	m.lock.Lock()
	wanted := entry[V]{key, sync.OnceValues(make)}
	if at := slices.IndexFunc(m.kept, func(each entry[V]) bool { return each.key == key }); at >= 0 {
		wanted = m.kept[at]
		m.kept = slices.Delete(m.kept, at, at+1)
	}
	m.kept = slices.Insert(m.kept, 0, wanted)
	m.kept = m.kept[:min(len(m.kept), most)]
	m.lock.Unlock()
	return wanted.made()
}
