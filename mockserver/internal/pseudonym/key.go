package pseudonym

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// keyBytes is the length of a key: nobody guesses 256 random bits.
const keyBytes = 32

// Key makes pseudonyms. It is safe for concurrent use.
type Key struct{ secret []byte }

// Make returns a new random key as text.
func Make() string {
	var secret [keyBytes]byte
	_, _ = rand.Read(secret[:]) // which never fails
	return hex.EncodeToString(secret[:])
}

// New reads a key that [Make] made. The same key gives the same pseudonyms.
func New(text string) (*Key, error) {
	secret, err := hex.DecodeString(text)
	if err != nil || len(secret) != keyBytes {
		return nil, errors.New("the key is not 64 hexadecimal digits; write a new one with `mockserver import --new-key FILE`, " +
			"since passphrases can be guessed")
	}
	return &Key{secret}, nil
}

// Check returns six hexadecimal digits by which two keys differ. They tell nothing else of 256 random bits.
func (k *Key) Check() string {
	sum := k.sum("check value", "")
	return hex.EncodeToString(sum[:3])
}

// sum returns random bytes that follow from a value. Values of two kinds have nothing in common.
func (k *Key) sum(kind, value string) (sum [sha256.Size]byte) {
	mac := hmac.New(sha256.New, k.secret)
	mac.Write([]byte(kind + "\x00" + value))
	mac.Sum(sum[:0])
	return sum
}
