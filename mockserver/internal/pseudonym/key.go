package pseudonym

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// LeastKey is how many bytes a key has at least: shorter ones can be guessed.
const LeastKey = 16

// domain is a kind of value. Each has a subkey, so that one value in two of them has two
// pseudonyms that nobody can match.
type domain string

const (
	identifiers domain = "identifier"
	addresses   domain = "e-mail address"
	numbers     domain = "telephone number"
	links       domain = "link"
	texts       domain = "text"
	dates       domain = "date"
	check       domain = "check value"
)

// Key makes pseudonyms. It is safe for concurrent use.
type Key struct {
	ciphers map[domain]cipher.Block
}

// New makes a key of a secret of at least [LeastKey] bytes. The same secret gives the same
// pseudonyms.
func New(secret string) (*Key, error) {
	if len(secret) < LeastKey {
		return nil, fmt.Errorf("the key has %d bytes; it needs at least %d, such as 32 random hexadecimal digits", len(secret), LeastKey)
	}
	made := &Key{ciphers: map[domain]cipher.Block{}}
	for _, of := range []domain{identifiers, addresses, numbers, links, texts, dates, check} {
		subkey, err := hkdf.Key(sha256.New, []byte(secret), nil, "rehearsal pseudonym 1 "+string(of), 32)
		if err != nil {
			return nil, err
		}
		block, err := aes.NewCipher(subkey)
		if err != nil {
			return nil, err
		}
		made.ciphers[of] = block
	}
	return made, nil
}

// Check is the check value of the key, six hexadecimal digits: two keys have the same one by a chance in 16 million, and it
// tells nothing else of a secret that cannot be guessed.
func (k *Key) Check() string {
	var zero [aes.BlockSize]byte
	k.ciphers[check].Encrypt(zero[:], zero[:])
	return hex.EncodeToString(zero[:3])
}

// mac is a pseudorandom function: CBC-MAC over numbers behind how many there are.
type mac struct {
	cipher cipher.Block
	state  [aes.BlockSize]byte
	filled int
}

// mac begins with the numbers of a prefix, the length of the whole among them.
func (k *Key) mac(of domain, prefix ...uint32) mac {
	m := mac{cipher: k.ciphers[of]}
	for _, number := range prefix {
		m.add(number>>16, number)
	}
	m.flush()
	return m
}

// add adds numbers of 16 bits.
func (m *mac) add(numbers ...uint32) {
	for _, number := range numbers {
		m.state[m.filled] ^= byte(number >> 8)
		m.state[m.filled+1] ^= byte(number)
		if m.filled += 2; m.filled == aes.BlockSize {
			m.flush()
		}
	}
}

func (m *mac) flush() {
	if m.filled > 0 {
		m.cipher.Encrypt(m.state[:], m.state[:])
		m.filled = 0
	}
}

// numbers fills in random numbers that follow from what was added.
func (m *mac) numbers(into []uint32) {
	m.flush()
	var counter, out [aes.BlockSize]byte
	for i := range into {
		if i%4 == 0 {
			counter = m.state
			binary.BigEndian.PutUint64(counter[:], binary.BigEndian.Uint64(counter[:])^uint64(i/4+1))
			m.cipher.Encrypt(out[:], counter[:])
		}
		into[i] = binary.BigEndian.Uint32(out[i%4*4:])
	}
}
