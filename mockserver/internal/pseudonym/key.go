package pseudonym

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"golang.org/x/crypto/scrypt"
)

// keyBytes is the length of a key: nobody guesses 256 random bits.
const keyBytes = 32

// A passphrase becomes a key by scrypt, for which each guess costs 32 MB and a tenth of a second. The salt is the same
// for everybody, so that a passphrase gives the same pseudonyms on every machine.
const (
	leastPassphrase = 16 // bytes
	salt            = "rehearsal pseudonyms"
	work, block     = 1 << 15, 8
)

// Key makes pseudonyms. It is safe for concurrent use.
type Key struct{ secret []byte }

// Make returns a new random key as text.
func Make() string {
	var secret [keyBytes]byte
	_, _ = rand.Read(secret[:]) // which never fails
	return hex.EncodeToString(secret[:])
}

// New reads a key that [Make] made, or makes one of a passphrase. The same text gives the same pseudonyms.
func New(text string) (*Key, error) {
	if secret, err := hex.DecodeString(text); err == nil && len(secret) == keyBytes {
		return &Key{secret}, nil
	}
	if len(text) < leastPassphrase {
		return nil, errors.New("the key is neither 64 hexadecimal digits nor a passphrase of at least 16 bytes; " +
			"write a new one with `mockserver import --new-key FILE`, since passphrases can be guessed")
	}
	secret, err := scrypt.Key([]byte(text), []byte(salt), work, block, 1, keyBytes)
	return &Key{secret}, err
}

// Check returns six hexadecimal digits by which two keys differ. They tell nothing else of 256 random bits; a guess of a
// passphrase can be tested by them.
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
