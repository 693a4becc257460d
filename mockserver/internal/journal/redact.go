package journal

import (
	"bytes"
	"hash/maphash"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// The most bytes of a text that an entry keeps.
const (
	longestPath  = 1024
	longestBody  = 1024
	longestAgent = 256
	longestKey   = 256
	longestError = 2048
)

// shortest is the length of a secret below which it is not looked for in other
// texts: a short one would be found everywhere.
const shortest = 6

// credentialNames are the headers with credentials that a request can have,
// by two bits.
var credentialNames = [4][]string{nil, {"X-Authorization"}, {"Authorization"}, {"Authorization", "X-Authorization"}}

// Redactor knows the secrets that a request was sent with, to keep them out of
// its entry wherever else they stand.
// See docs/explanation/journal-and-lints.md#what-is-recorded-of-a-request
type Redactor struct {
	company, token string
}

// NewRedactor reads the secrets from the values of the headers X-Authorization
// and Authorization; empty without them.
func NewRedactor(company, authorization string) Redactor {
	redactor := Redactor{company: strings.TrimSpace(company)}
	_, token, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	redactor.token = strings.TrimSpace(token)
	if redactor.token == "" {
		redactor.token = strings.TrimSpace(authorization)
	}
	return redactor
}

// Names lists the headers with credentials that were sent.
func (r Redactor) Names() []string {
	bits := 0
	if r.company != "" {
		bits |= 1
	}
	if r.token != "" {
		bits |= 2
	}
	return credentialNames[bits]
}

// Text keeps the secrets of the request out of a text.
func (r Redactor) Text(text string) string {
	for _, secret := range [...]string{r.company, r.token} {
		if len(secret) >= shortest && strings.Contains(text, secret) {
			text = strings.ReplaceAll(text, secret, Redacted)
		}
	}
	return text
}

// SetTarget notes path and query of a request.
func (e *Entry) SetTarget(path, rawQuery string, redactor Redactor) {
	whole := len(path) + len(rawQuery)
	e.Path = shortened(redactor.escaped(redactor.Text(path), "/"), longestPath, whole)
	if rawQuery != "" {
		e.Query = shortened(redactor.escaped(redactor.Text(redactQuery(rawQuery)), "&"), longestPath, whole)
	}
}

// escaped keeps secrets out of the parts of a path or query that are written
// with percent signs.
func (r Redactor) escaped(text, separator string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	parts := strings.Split(text, separator)
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil && plain != part && r.finds([]byte(plain)) {
			parts[i] = Redacted
		}
	}
	return strings.Join(parts, separator)
}

// SetAgent notes the header User-Agent.
func (e *Entry) SetAgent(agent string, redactor Redactor) {
	e.UserAgent = shortened(redactor.Text(agent), longestAgent, len(agent))
}

// SetKey notes the key of a client.
func (e *Entry) SetKey(key string) {
	if e.Key = key; len(key) > longestKey {
		e.Key = shortened(key, longestKey, len(key))
	}
}

// SetError notes a refusal.
func (e *Entry) SetError(refused *Refusal, redactor Redactor) {
	if e.Error = refused; refused != nil {
		refused.Message = shortened(redactor.Text(refused.Message), longestError, 0)
	}
}

// SetBody notes a body, which must not be changed any more.
func (e *Entry) SetBody(body []byte, redactor Redactor, seed maphash.Seed) {
	e.RequestBytes = int64(len(body))
	e.digest = maphash.Bytes(seed, body)
	e.body = body
	if len(body) > longestBody {
		// Beyond the end, so that a secret on the border is seen whole.
		most := min(len(body), longestBody+len(redactor.company)+len(redactor.token))
		e.body = []byte(shortened(redactor.Text(string(body[:most])), longestBody, 0))
	} else if redactor.finds(body) {
		e.body = []byte(redactor.Text(string(body)))
	}
}

// finds tells whether a secret of the request is in a body.
func (r Redactor) finds(body []byte) bool {
	for _, secret := range [...]string{r.company, r.token} {
		if len(secret) >= shortest && bytes.Contains(body, []byte(secret)) {
			return true
		}
	}
	return false
}

// secretParameters are the query parameters whose values are secrets: those of
// signed links, and names under which credentials are sent by mistake.
var secretParameters = []string{"signature", "access_token", "token", "authorization", "x-authorization", "api_key", "apikey", "key", "secret", "password"}

// redactQuery keeps secrets out of a query that may be anything.
func redactQuery(query string) string {
	if !strings.Contains(query, "=") {
		return query
	}
	var kept strings.Builder
	for i, parameter := range strings.Split(query, "&") {
		if i > 0 {
			kept.WriteByte('&')
		}
		name, value, given := strings.Cut(parameter, "=")
		kept.WriteString(name)
		if !given {
			continue
		}
		kept.WriteByte('=')
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		for _, secret := range secretParameters {
			if strings.EqualFold(name, secret) {
				value = Redacted
			}
		}
		kept.WriteString(value)
	}
	return kept.String()
}

// shortened cuts a text, valid UTF-8 afterwards. One that is cut is copied, so
// that it does not keep the memory of what it was cut from; held is how long
// that is.
func shortened(text string, most, held int) string {
	if len(text) > most {
		cut := most
		for cut > most-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "..."
	} else if held > 4*most {
		text = strings.Clone(text)
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	return text
}
