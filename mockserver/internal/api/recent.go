package api

import "container/list"

// recent keeps the values that were used last, by the identifier of an export.
// What it keeps is bounded by number and by weight. It is not safe for
// concurrent use.
type recent[V any] struct {
	most, heaviest int // how many values, and what they may weigh together

	byID   map[string]*list.Element // of *kept[V]
	order  *list.List               // most recently used first
	weight int
}

type kept[V any] struct {
	id     string
	value  V
	weight int
}

func newRecent[V any](most, heaviest int) *recent[V] {
	return &recent[V]{most: most, heaviest: heaviest, byID: map[string]*list.Element{}, order: list.New()}
}

// get returns a value, which counts as its use.
func (r *recent[V]) get(id string) (value V, there bool) {
	element, there := r.byID[id]
	if !there {
		return value, false
	}
	r.order.MoveToFront(element)
	return element.Value.(*kept[V]).value, true
}

// put keeps a value, and forgets those whose use is longest ago until
// everything fits. A value that is too heavy alone is not kept.
func (r *recent[V]) put(id string, value V, weight int) {
	r.forget(id)
	if weight > r.heaviest {
		return
	}
	r.byID[id] = r.order.PushFront(&kept[V]{id, value, weight})
	r.weight += weight
	for r.order.Len() > r.most || r.weight > r.heaviest {
		r.forget(r.order.Back().Value.(*kept[V]).id)
	}
}

func (r *recent[V]) forget(id string) {
	if element, there := r.byID[id]; there {
		r.weight -= element.Value.(*kept[V]).weight
		r.order.Remove(element)
		delete(r.byID, id)
	}
}
