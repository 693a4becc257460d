package delivery

import "container/list"

// lru is a cache of the values that were used last, by the identifier of an
// export. It is bounded by number and by weight, and not safe for concurrent
// use.
type lru[V any] struct {
	most, heaviest int // how many values, and what they may weigh together

	byID   map[string]*list.Element // of *entry[V]
	order  *list.List               // most recently used first
	weight int
}

type entry[V any] struct {
	id     string
	value  V
	weight int
}

func newLRU[V any](most, heaviest int) *lru[V] {
	return &lru[V]{most: most, heaviest: heaviest, byID: map[string]*list.Element{}, order: list.New()}
}

// get returns a value, which counts as its use.
func (r *lru[V]) get(id string) (value V, there bool) {
	element, there := r.byID[id]
	if !there {
		return value, false
	}
	r.order.MoveToFront(element)
	return element.Value.(*entry[V]).value, true
}

// put keeps a value, and forgets those whose use is longest ago until
// everything fits. A value that is too heavy alone is not kept.
func (r *lru[V]) put(id string, value V, weight int) {
	r.forget(id)
	if weight > r.heaviest {
		return
	}
	r.byID[id] = r.order.PushFront(&entry[V]{id, value, weight})
	r.weight += weight
	for r.order.Len() > r.most || r.weight > r.heaviest {
		r.forget(r.order.Back().Value.(*entry[V]).id)
	}
}

func (r *lru[V]) forget(id string) {
	if element, there := r.byID[id]; there {
		r.weight -= element.Value.(*entry[V]).weight
		r.order.Remove(element)
		delete(r.byID, id)
	}
}
