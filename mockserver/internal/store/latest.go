package store

// Latest keeps the values that were put last, by identifier: clients ask for the
// exports that they have just created, again and again. It is for implementations,
// and not safe for concurrent use.
type Latest[V any] struct {
	values map[string]V
	order  []string // of their coming, a ring
	next   int
}

const (
	// mostLatest is how many values are kept; a record takes about a kilobyte.
	mostLatest = 1024
	// LargestLatest is the size of the largest record that is worth a place, as it
	// is stored: those with a thousand attributes stay out.
	LargestLatest = 4096
)

// Get is a value that was put.
func (l *Latest[V]) Get(id string) (value V, there bool) {
	value, there = l.values[id]
	return value, there
}

// Put keeps a value, in the place of the one before, or of the oldest one.
func (l *Latest[V]) Put(id string, value V) {
	if l.values == nil {
		l.values = map[string]V{}
	}
	if _, there := l.values[id]; !there {
		if len(l.order) < mostLatest {
			l.order = append(l.order, id)
		} else {
			delete(l.values, l.order[l.next])
			l.order[l.next] = id
			l.next = (l.next + 1) % mostLatest
		}
	}
	l.values[id] = value
}

// Clear forgets all values.
func (l *Latest[V]) Clear() {
	clear(l.values)
	l.order, l.next = l.order[:0], 0
}
