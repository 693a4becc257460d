package auth

import "crypto/sha256"

// keyring finds what secrets stand for, by their digests: how long that takes says nothing about the bytes of a secret.
type keyring[T any] map[[sha256.Size]byte]T

func (k keyring[T]) add(text string, value T) { k[sha256.Sum256([]byte(text))] = value }

// get is what a text stands for.
func (k keyring[T]) get(text string) (value T, known bool) {
	value, known = k[sha256.Sum256([]byte(text))]
	return value, known
}

func (k keyring[T]) has(text string) bool {
	_, known := k.get(text)
	return known
}
