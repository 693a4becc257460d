// Package links signs the download links of files and checks them. A link names one file, ends at an instant, and cannot be altered
// without being noticed; nothing about it is stored.
package links

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// ErrForged is the error of a link that was not issued by this server for this file, or that was altered.
var ErrForged = errors.New("the link was not issued for this file or was altered: look the export up again for a new one")

// ErrExpired is the error of a genuine link whose time is over.
type ErrExpired struct {
	// At is the instant at which the link ended.
	At time.Time
}

// Error says when the link ended and what to do.
func (e *ErrExpired) Error() string {
	return fmt.Sprintf("the link expired at %s: look the export up again for a new one", e.At.UTC().Format(time.RFC3339))
}

// The parameters of a signed link.
const (
	ParameterExpires   = "expires"
	ParameterNonce     = "nonce"
	ParameterSignature = "signature"
)

// Signer signs links and checks them. It is safe for concurrent use. See docs/explanation/specification.md#why-are-links-under-files
type Signer struct {
	nonce  atomic.Uint64
	secret atomic.Pointer[[]byte]
}

// New returns a signer with a secret, which should have at least 32 random bytes and be the same after a restart, or links issued before
// it are forged after it. It counts its links from a number: every link carries its own, which makes two links for one file and one
// instant differ. A program whose clock may stand still across a restart passes a random one, so that it does not issue the same links
// again.
func New(secret []byte, number uint64) *Signer {
	signer := &Signer{}
	signer.Use(secret)
	signer.nonce.Store(number)
	return signer
}

// Use changes the secret. Links that were signed with the one before are forged from now on.
func (s *Signer) Use(secret []byte) {
	secret = bytes.Clone(secret)
	s.secret.Store(&secret)
}

// Sign returns the query of a link to the file that ends at the instant: the first instant at which it is refused. Every call returns
// another one. The file is any text that tells files apart, usually the path of the link.
func (s *Signer) Sign(file string, expires time.Time) string {
	// The whole instant, so that a link lives exactly as long as it should.
	end, nonce := expires.UTC().Format(time.RFC3339Nano), strconv.FormatUint(s.nonce.Add(1), 36)
	return ParameterExpires + "=" + end + "&" + ParameterNonce + "=" + nonce + "&" + ParameterSignature + "=" +
		base64.RawURLEncoding.EncodeToString(s.sum(file, end, nonce))
}

// Verify checks the query of a link to the file. A link that this signer did not issue for this file, or that was altered in any way, is
// [ErrForged]; a genuine one whose time is over is an [*ErrExpired]. Parameters that are not part of the signature are ignored.
func (s *Signer) Verify(file string, query url.Values, now time.Time) error {
	end, ok1 := only(query, ParameterExpires)
	nonce, ok2 := only(query, ParameterNonce)
	signature, ok3 := only(query, ParameterSignature)
	if !ok1 || !ok2 || !ok3 {
		return ErrForged
	}
	// Strict, or the unused bits of the last character could be altered.
	given, err := base64.RawURLEncoding.Strict().DecodeString(signature)
	if err != nil {
		return ErrForged
	}
	// The decoder skips line ends: only the one spelling is genuine.
	if len(signature) != base64.RawURLEncoding.EncodedLen(sha256.Size) {
		return ErrForged
	}
	if !hmac.Equal(given, s.sum(file, end, nonce)) {
		return ErrForged
	}
	at, err := time.Parse(time.RFC3339Nano, end)
	if err != nil {
		return ErrForged
	}
	if !now.Before(at) {
		return &ErrExpired{At: at}
	}
	return nil
}

// lower matches the query of a link without the capital letters of its date.
var lower = regexp.MustCompile(`\b` + ParameterExpires + `=[\d-]+t\d\d(?::|%3a)`)

// Explain returns the reason for which a link with a raw query is forged: the slip
// of a program that the query shows, or the text of [ErrForged].
func Explain(query string) string {
	for _, slip := range []struct{ sign, text string }{
		{"&amp;", "the link was escaped for HTML: its query has &amp; for &"},
		{`\u0026`, `the link was escaped for JSON: its query has \u0026 for &`},
		{"%253A", "the link was escaped twice: its query has %253A for a colon"},
		{"%26", "the link was escaped as one value: its query has %26 for &"},
		{"%22", "the link has a quote in its query, which stood around it"},
	} {
		if strings.Contains(query, slip.sign) {
			return slip.text + "; use the link as the lookup gave it"
		}
	}
	if lower.MatchString(query) {
		return "the link was turned into small letters; use the link as the lookup gave it"
	}
	for _, name := range []string{ParameterExpires, ParameterNonce, ParameterSignature} {
		if !strings.Contains(query, name+"=") {
			return "the query of the link ends early: " + name + " is missing; in a shell, quote the link"
		}
	}
	return ErrForged.Error()
}

// sum is the signature. Every part goes in with its length, so that no text can be moved from one part to the next.
func (s *Signer) sum(parts ...string) []byte {
	hash := hmac.New(sha256.New, *s.secret.Load())
	for _, part := range parts {
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		hash.Write([]byte(part))
	}
	return hash.Sum(nil)
}

// only returns the value of a parameter that is given exactly once.
func only(query url.Values, name string) (string, bool) {
	values := query[name]
	if len(values) != 1 || values[0] == "" {
		return "", false
	}
	return values[0], true
}
