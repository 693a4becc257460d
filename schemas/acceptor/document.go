package acceptor

import "unicode/utf8"

type kind uint8

const (
	kindNull kind = iota
	kindFalse
	kindTrue
	kindInteger
	kindString
	kindArray
	kindObject
)

// token is one value. The tokens of a document stand in the order of their beginnings, so the first item of an array follows it, and next
// is the index of what follows the whole value. The name of a member is a string token before its value.
type token struct {
	kind       kind
	ascii      bool
	start, end int32 // of a string without its quotes
	next       int32
	number     int64 // of an integer; of an array or object: how many items or members
}

const (
	maxTokens = 4096
	maxDepth  = 32
	maxBytes  = 1 << 20
	maxDigits = 15
)

// Document is a parsed document. Its memory is used again by the next Accept, so what it returns must be copied to be kept: String and
// Strings do that. The zero value is ready for use. It belongs to one goroutine.
type Document struct {
	text   []byte
	tokens []token
	copied string // of the text, once a string of it was asked for
}

// parse reads a document and reports whether it is one that the acceptor understands.
func (d *Document) parse(text []byte) bool {
	d.text, d.tokens, d.copied = text, d.tokens[:0], ""
	if len(text) > maxBytes {
		return false
	}
	at, ok := d.value(d.blanks(0), 0)
	return ok && d.blanks(at) == len(text)
}

func (d *Document) blanks(at int) int {
	for at < len(d.text) {
		switch d.text[at] {
		case ' ', '\t', '\n', '\r':
			at++
		default:
			return at
		}
	}
	return at
}

// value parses the value at a place and returns the place behind it.
func (d *Document) value(at, depth int) (int, bool) {
	if at >= len(d.text) || depth > maxDepth || len(d.tokens) >= maxTokens {
		return 0, false
	}
	switch first := d.text[at]; {
	case first == '"':
		return d.stringAt(at)
	case first == '{':
		return d.object(at, depth)
	case first == '[':
		return d.array(at, depth)
	case first == 't':
		return d.word(at, "true", kindTrue)
	case first == 'f':
		return d.word(at, "false", kindFalse)
	case first == 'n':
		return d.word(at, "null", kindNull)
	}
	return d.integer(at)
}

func (d *Document) add(t token) {
	t.next = int32(len(d.tokens)) + 1
	d.tokens = append(d.tokens, t)
}

func (d *Document) word(at int, word string, k kind) (int, bool) {
	end := at + len(word)
	if end > len(d.text) || string(d.text[at:end]) != word {
		return 0, false
	}
	d.add(token{kind: k, start: int32(at), end: int32(end)})
	return end, true
}

func (d *Document) integer(at int) (int, bool) {
	begin, negative, number := at, false, int64(0)
	if d.text[at] == '-' {
		negative = true
		at++
	}
	digits := at
	for at < len(d.text) && d.text[at] >= '0' && d.text[at] <= '9' {
		if at-digits >= maxDigits {
			return 0, false
		}
		number = number*10 + int64(d.text[at]-'0')
		at++
	}
	if at == digits || d.text[digits] == '0' && (at > digits+1 || negative) {
		return 0, false
	}
	if at < len(d.text) && (d.text[at] == '.' || d.text[at] == 'e' || d.text[at] == 'E') {
		return 0, false
	}
	if negative {
		number = -number
	}
	d.add(token{kind: kindInteger, start: int32(begin), end: int32(at), number: number})
	return at, true
}

func (d *Document) stringAt(at int) (int, bool) {
	begin, text, ascii := at+1, d.text, true
	for at = begin; at < len(text); at++ {
		if plain[text[at]] {
			continue
		}
		switch c := text[at]; {
		case c == '"':
			if !ascii && !utf8.Valid(text[begin:at]) {
				return 0, false
			}
			d.add(token{kind: kindString, ascii: ascii, start: int32(begin), end: int32(at)})
			return at + 1, true
		case c >= utf8.RuneSelf:
			ascii = false
		default: // an escape, or a control character
			return 0, false
		}
	}
	return 0, false
}

// plain tells the characters of ASCII that stand for themselves in a string.
var plain = func() (is [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		is[c] = c != '"' && c != '\\'
	}
	return is
}()

func (d *Document) array(at, depth int) (int, bool) {
	index := len(d.tokens)
	d.add(token{kind: kindArray, start: int32(at)})
	count := int64(0)
	for at = d.blanks(at + 1); ; at = d.blanks(at + 1) {
		if count == 0 && at < len(d.text) && d.text[at] == ']' {
			break
		}
		var ok bool
		if at, ok = d.value(at, depth+1); !ok {
			return 0, false
		}
		count++
		if at = d.blanks(at); at >= len(d.text) || d.text[at] != ',' && d.text[at] != ']' {
			return 0, false
		}
		if d.text[at] == ']' {
			break
		}
	}
	d.close(index, at+1, count)
	return at + 1, true
}

func (d *Document) object(at, depth int) (int, bool) {
	index := len(d.tokens)
	d.add(token{kind: kindObject, start: int32(at)})
	count := int64(0)
	for at = d.blanks(at + 1); ; at = d.blanks(at + 1) {
		if at >= len(d.text) {
			return 0, false
		}
		if count == 0 && d.text[at] == '}' {
			break
		}
		if d.text[at] != '"' {
			return 0, false
		}
		name := len(d.tokens)
		var ok bool
		if at, ok = d.stringAt(at); !ok || d.repeated(index, name) {
			return 0, false
		}
		if at = d.blanks(at); at >= len(d.text) || d.text[at] != ':' {
			return 0, false
		}
		if at, ok = d.value(d.blanks(at+1), depth+1); !ok {
			return 0, false
		}
		count++
		if at = d.blanks(at); at >= len(d.text) || d.text[at] != ',' && d.text[at] != '}' {
			return 0, false
		}
		if d.text[at] == '}' {
			break
		}
	}
	d.close(index, at+1, count)
	return at + 1, true
}

func (d *Document) close(index, end int, count int64) {
	t := &d.tokens[index]
	t.end, t.number, t.next = int32(end), count, int32(len(d.tokens))
}

// repeated says whether an object, still open, has a member name already.
func (d *Document) repeated(object, name int) bool {
	text := d.bytes(name)
	for at := object + 1; at < name; {
		if string(d.bytes(at)) == string(text) {
			return true
		}
		at = int(d.tokens[at+1].next)
	}
	return false
}

func (d *Document) bytes(index int) []byte {
	t := &d.tokens[index]
	return d.text[t.start:t.end]
}

// mostCopied is the length of the longest text of which strings are parts of one copy: they keep all of it.
const mostCopied = 1 << 10

// copy is a string that can be kept.
func (d *Document) copy(index int) string {
	if len(d.text) > mostCopied {
		return string(d.bytes(index))
	}
	if d.copied == "" {
		d.copied = string(d.text)
	}
	t := &d.tokens[index]
	return d.copied[t.start:t.end]
}

// member is the index of the value of a member of an object, or -1.
func (d *Document) member(object int, name string) int {
	if object < 0 || d.tokens[object].kind != kindObject {
		return -1
	}
	for at, end := object+1, int(d.tokens[object].next); at < end; at = int(d.tokens[at+1].next) {
		if string(d.bytes(at)) == name {
			return at + 1
		}
	}
	return -1
}

func (d *Document) find(path []string) int {
	at := 0
	for _, name := range path {
		at = d.member(at, name)
	}
	return at
}

// String is the string at a path of member names, and whether there is one.
func (d *Document) String(path ...string) (string, bool) {
	at := d.find(path)
	if at < 0 || d.tokens[at].kind != kindString {
		return "", false
	}
	return d.copy(at), true
}

// Strings are the strings of the array at a path of member names: nil without an array there, and without what in it is no string.
func (d *Document) Strings(path ...string) []string {
	at := d.find(path)
	if at < 0 || d.tokens[at].kind != kindArray {
		return nil
	}
	list := make([]string, 0, d.tokens[at].number)
	for item, end := at+1, int(d.tokens[at].next); item < end; item = int(d.tokens[item].next) {
		if d.tokens[item].kind == kindString {
			list = append(list, d.copy(item))
		}
	}
	return list
}

// Has says whether there is a value, null included, at a path of member names.
func (d *Document) Has(path ...string) bool { return d.find(path) >= 0 }
