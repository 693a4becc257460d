package memory

import (
	"slices"
	"sort"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// table is entries in the order of their keys, in pieces that are short, so that an insert moves few. A tree of a library would
// leave half of its nodes empty, since most keys come in order: that is a fifth more for each record.
type table struct {
	pieces [][]pair // at least one; none is empty unless it is the only one
}

type pair struct{ key, value string }

func newTable() *table { return &table{pieces: [][]pair{nil}} }

// longest is how many entries a piece has at most.
const longest = 256

// find returns the piece where a key is or belongs, and its place in it.
func (t *table) find(key string) (piece, at int, found bool) {
	piece = sort.Search(len(t.pieces)-1, func(i int) bool { return t.pieces[i+1][0].key > key })
	at, found = slices.BinarySearchFunc(t.pieces[piece], key, func(p pair, key string) int { return strings.Compare(p.key, key) })
	return piece, at, found
}

func (t *table) get(key string) (value string, found bool) {
	piece, at, found := t.find(key)
	if found {
		value = t.pieces[piece][at].value
	}
	return value, found
}

func (t *table) put(key, value string) {
	piece, at, found := t.find(key)
	switch p := t.pieces[piece]; {
	case found:
		p[at].value = value
	case len(p) == longest && at == longest: // keys that come in order fill their pieces
		t.pieces = slices.Insert(t.pieces, piece+1, []pair{{key, value}})
	case len(p) == longest:
		t.pieces = slices.Insert(t.pieces, piece+1, slices.Clone(p[longest/2:]))
		t.pieces[piece] = slices.Delete(p, longest/2, longest)
		t.put(key, value)
	default:
		t.pieces[piece] = slices.Insert(p, at, pair{key, value})
	}
}

func (t *table) remove(key string) {
	piece, at, found := t.find(key)
	if !found {
		return
	}
	t.pieces[piece] = slices.Delete(t.pieces[piece], at, at+1)
	if len(t.pieces[piece]) == 0 && len(t.pieces) > 1 {
		t.pieces = slices.Delete(t.pieces, piece, piece+1)
	}
}

// scan returns entries of a range.
func (t *table) scan(r store.Range) (found []store.Entry) {
	from, at, _ := t.find(r.From)
	to, end, _ := t.find(r.To)
	if r.Backwards {
		for piece := to; piece >= from && len(found) < r.Limit; piece-- {
			for i := end - 1; i >= 0 && (piece > from || i >= at) && len(found) < r.Limit; i-- {
				found = append(found, store.Entry{Key: t.pieces[piece][i].key, Value: t.pieces[piece][i].value})
			}
			if piece > 0 {
				end = len(t.pieces[piece-1])
			}
		}
		return found
	}
	for piece := from; piece <= to && len(found) < r.Limit; piece++ {
		p := t.pieces[piece]
		if piece == to {
			p = p[:end]
		}
		for i := at; i < len(p) && len(found) < r.Limit; i++ {
			found = append(found, store.Entry{Key: p[i].key, Value: p[i].value})
		}
		at = 0
	}
	return found
}
