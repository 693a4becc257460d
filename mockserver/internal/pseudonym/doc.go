// Package pseudonym replaces values by others of the same shape: the same value
// becomes the same pseudonym with the same key, in every file and every run, and
// two values never become one. What a value is decides how it is replaced
// ([Key.Member]): an e-mail address stays one, a UUID stays one of its version, a
// telephone number gets a country code that nobody has.
//
// It is a permutation of all texts of a shape: a Feistel network over the letters
// and digits of a text, whose round function is a MAC under a key of its own for
// each kind of value. Without the key it cannot be turned back; who has it can
// turn it back, so it is kept apart from the data.
// See docs/how-to/import-exports.md
package pseudonym
