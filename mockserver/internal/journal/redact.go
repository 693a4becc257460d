package journal

import (
	"bytes"
	"hash/maphash"
	"iter"
	"net/url"
	"regexp"
	"slices"
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

// shortest is the length of a secret below which it is not looked for in other texts: a short one would be found everywhere.
const shortest = 6

// Header is a header that carries a credential, in its canonical spelling.
type Header struct {
	Name string
	// Scheme tells that a word stands before the credential.
	Scheme bool
}

// Headers are the headers that carry credentials.
type Headers struct{ headers []Header }

// NewHeaders knows headers that carry credentials; the names may repeat.
func NewHeaders(headers ...Header) *Headers {
	slices.SortStableFunc(headers, func(a, b Header) int { return strings.Compare(a.Name, b.Name) })
	return &Headers{slices.CompactFunc(headers, func(a, b Header) bool { return a.Name == b.Name })}
}

// Redactor knows the secrets that a request was sent with, to keep them out of its entry wherever else they stand. See
// docs/how-to/lint-a-client.md#what-is-recorded-of-a-request
type Redactor struct {
	of      *Headers
	names   []string // of the headers with credentials
	secrets []string
}

// Redactor reads the secrets from the headers of a request.
func (h *Headers) Redactor(sent map[string][]string) Redactor {
	redactor := Redactor{of: h}
	for _, header := range h.headers {
		values := sent[header.Name]
		if len(values) == 0 {
			continue
		}
		secret := strings.TrimSpace(values[0])
		if _, behind, _ := strings.Cut(secret, " "); header.Scheme && strings.TrimSpace(behind) != "" {
			secret = strings.TrimSpace(behind)
		}
		if secret != "" {
			redactor.names = append(redactor.names, header.Name)
		}
		if len(secret) >= shortest {
			redactor.secrets = append(redactor.secrets, secret)
		}
	}
	return redactor
}

// Find finds secrets in texts of a request, such as its path, that are in none of its headers for credentials, or are written with
// percent signs: a request may have brought them to a wrong place.
func (r *Redactor) Find(secret func(string) bool, texts ...string) {
	for _, text := range texts {
		for part := range words(text) {
			if strings.IndexByte(part, '%') < 0 {
				if secret(part) {
					r.secrets = append(r.secrets, part)
				}
				continue
			}
			plain := unescaped(part)
			for word := range words(plain) {
				if secret(word) || plain != part && r.finds([]byte(word)) {
					r.secrets = append(r.secrets, part, word)
				}
			}
		}
	}
}

// words are the words of a path, a query or a header.
func words(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(char rune) bool { return strings.ContainsRune("/?&=;, \t()<>\"'\x00", char) })
}

// deepest is how often a text may be written with percent signs, one time over another, for a secret in it to be found.
const deepest = 5

// unescaped is a text without percent signs before hexadecimal digits.
func unescaped(text string) string {
	for range deepest {
		plain, err := url.PathUnescape(text)
		if err != nil || plain == text {
			return text
		}
		text = plain
	}
	return text
}

// Names lists the headers with credentials that were sent.
func (r Redactor) Names() []string { return r.names }

// Text keeps the secrets of the request out of a text.
func (r Redactor) Text(text string) string {
	for _, secret := range r.secrets {
		text = strings.ReplaceAll(text, secret, Redacted)
	}
	return text
}

// SetTarget notes path and query of a request.
func (e *Entry) SetTarget(path, rawQuery string, redactor Redactor) {
	whole := len(path) + len(rawQuery)
	e.Path = redactor.path(path, whole)
	if rawQuery != "" {
		e.Query = shortened(redactor.escaped(redactor.Text(redactor.query(rawQuery)), "&"), longestPath, whole)
	}
}

// Path keeps the secrets of the request out of its path, as it was sent, before it is shortened: half a secret is still one.
func (r Redactor) Path(sent string) string { return r.path(sent, len(sent)) }

func (r Redactor) path(sent string, whole int) string {
	return shortened(r.escaped(r.Text(sent), "/"), longestPath, whole)
}

// escaped keeps secrets out of the parts of a text that are written with percent signs.
func (r Redactor) escaped(text, separator string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	parts := strings.Split(text, separator)
	for i, part := range parts {
		if plain := unescaped(part); plain != part && r.finds([]byte(plain)) {
			parts[i] = Redacted
		}
	}
	return strings.Join(parts, separator)
}

// SetAgent notes the header User-Agent.
func (e *Entry) SetAgent(agent string, redactor Redactor) {
	e.UserAgent = shortened(redactor.escaped(redactor.Text(agent), " "), longestAgent, len(agent))
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
		most := min(len(body), longestBody+redactor.longest())
		e.body = []byte(shortened(redactor.addresses(string(body[:most])), longestBody, 0))
	} else if redactor.finds(body) || bytes.Contains(body, []byte("http")) {
		e.body = []byte(redactor.addresses(string(body)))
	}
}

// anAddress matches one in a text, also with the escapes that JSON allows.
var anAddress = regexp.MustCompile(`https?:(?:/|\\/){2}[^\s"'<>]*`)

// addresses keeps secrets out of a text and of the addresses in it.
func (r Redactor) addresses(text string) string {
	return anAddress.ReplaceAllStringFunc(r.Text(text), r.Address)
}

// longSegment matches a segment of a path that may be a secret, as in the webhooks of many services.
var longSegment = regexp.MustCompile(`/[^/]{16,}`)

// Address keeps secrets out of an absolute address: the user, parameters by their names, and long segments of the path.
func (r Redactor) Address(text string) string {
	address, err := url.Parse(strings.NewReplacer(`\/`, "/", `\u0026`, "&").Replace(text))
	if err != nil {
		return Redacted
	}
	shown := address.Scheme + "://" + address.Host + longSegment.ReplaceAllString(address.EscapedPath(), "/"+Redacted)
	if address.RawQuery != "" {
		shown += "?" + r.query(address.RawQuery)
	}
	return shown
}

// finds tells whether a secret of the request is in a body.
func (r Redactor) finds(body []byte) bool {
	return slices.ContainsFunc(r.secrets, func(secret string) bool { return bytes.Contains(body, []byte(secret)) })
}

// longest is at least the length of the longest secret.
func (r Redactor) longest() (sum int) {
	for _, secret := range r.secrets {
		sum += len(secret)
	}
	return sum
}

// secretEndings end the names of query parameters whose values are secrets, without hyphens and underscores: those of signed
// links, and names under which credentials are sent by mistake. secretNames are whole names.
var (
	secretEndings = []string{"signature", "token", "authorization", "apikey", "secret", "password", "session", "sessionid", "credential"}
	secretNames   = []string{"key", "sig", "pwd"}
)

// isSecret reports whether the value of a query parameter is a secret.
func isSecret(name string) bool {
	plain := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
	return slices.Contains(secretNames, plain) ||
		slices.ContainsFunc(secretEndings, func(ending string) bool { return strings.HasSuffix(plain, ending) })
}

// query keeps secrets out of a query that may be anything.
func (r Redactor) query(query string) string {
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
		if isSecret(name) {
			value = Redacted
		}
		if r.of != nil && slices.ContainsFunc(r.of.headers, func(header Header) bool { return strings.EqualFold(name, header.Name) }) {
			value = Redacted
		}
		kept.WriteString(value)
	}
	return kept.String()
}

// shortened cuts a text, valid UTF-8 afterwards. One that is cut is copied, so that it does not keep the memory of what it was cut from;
// held is how long that is.
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
