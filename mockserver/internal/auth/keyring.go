package auth

import (
	"crypto/subtle"
	"hash/maphash"
)

// keyring finds what secrets stand for. A text is looked up by a hash that is another
// one in every process, and compared in constant time with those few that have the
// same: how long that takes says nothing about the bytes of a secret, and most texts
// are told to be none by the hash alone. (Digests say no more, and take a
// microsecond for each request.)
type keyring[T any] struct {
	seed    maphash.Seed
	entries map[uint64][]keyed[T]
}

type keyed[T any] struct {
	text  []byte
	value T
}

func newKeyring[T any]() keyring[T] {
	return keyring[T]{maphash.MakeSeed(), map[uint64][]keyed[T]{}}
}

// add gives a text its value, in the place of the one before.
func (k keyring[T]) add(text string, value T) {
	hash := maphash.String(k.seed, text)
	for i, each := range k.entries[hash] {
		if string(each.text) == text {
			k.entries[hash][i].value = value
			return
		}
	}
	k.entries[hash] = append(k.entries[hash], keyed[T]{[]byte(text), value})
}

// get is what a text stands for.
func (k keyring[T]) get(text string) (value T, known bool) {
	for _, each := range k.entries[maphash.String(k.seed, text)] {
		if len(each.text) == len(text) && subtle.ConstantTimeCompare(each.text, []byte(text)) == 1 {
			return each.value, true
		}
	}
	return value, false
}

func (k keyring[T]) has(text string) bool {
	_, known := k.get(text)
	return known
}
