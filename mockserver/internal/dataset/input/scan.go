package input

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// memberPlace says where a member of a row is kept.
type memberPlace struct {
	kind  byte // t, d, f, n, l or r as in members; s: it is skipped
	index int
}

// placesOf are the members of a kind of row by name.
func placesOf(kind Kind) map[string]memberPlace {
	var names memberNames
	switch kind {
	case Profiles:
		names = new(Profile).names()
	case Installations:
		names = new(Installation).names()
	default:
		names = new(Event).names()
	}
	places := map[string]memberPlace{}
	for _, group := range []struct {
		kind  byte
		names []string
	}{{'t', names.texts}, {'d', names.dates}, {'f', names.flags}, {'n', names.numbers}, {'l', names.lists}, {'r', names.raws}} {
		for i, name := range group.names {
			places[name] = memberPlace{group.kind, i}
		}
	}
	if kind == Events {
		for _, name := range []string{"name", "label", "tags", "data"} { // no export shows them
			places[name] = memberPlace{kind: 's'}
		}
	}
	return places
}

// scanner reads plain rows: it knows the members and no escapes, nulls or
// unusual numbers, and leaves all else to encoding/json, which takes twenty
// times as long.
type scanner struct {
	places map[Kind]map[string]memberPlace
	fields Members
	text   string
	at     int
}

func newScanner() *scanner {
	return &scanner{places: memberPlaces()}
}

// row reads a row, or reports that it cannot: then the row may be half read.
func (s *scanner) row(kind Kind, text string, into rowMembers) bool {
	into.Members(&s.fields)
	places := s.places[kind]
	s.text, s.at = text, 0
	if !s.take('{') {
		return false
	}
	if s.take('}') {
		return s.end()
	}
	for {
		name, plain := s.string()
		place, known := places[name]
		if !plain || !known || !s.take(':') || !s.value(place) {
			return false
		}
		if !s.take(',') {
			return s.take('}') && s.end()
		}
	}
}

func (s *scanner) space() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t' || s.text[s.at] == '\n' || s.text[s.at] == '\r') {
		s.at++
	}
}

func (s *scanner) take(char byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == char {
		s.at++
		return true
	}
	return false
}

func (s *scanner) end() bool {
	s.space()
	return s.at == len(s.text)
}

// string reads a text without escapes.
func (s *scanner) string() (text string, plain bool) {
	if !s.take('"') {
		return "", false
	}
	begin, ascii := s.at, true
	for ; s.at < len(s.text); s.at++ {
		switch char := s.text[s.at]; {
		case char == '"':
			text = s.text[begin:s.at]
			s.at++
			return text, ascii || utf8.ValidString(text)
		case char == '\\' || char < ' ':
			return "", false
		case char >= utf8.RuneSelf:
			ascii = false
		}
	}
	return "", false
}

func (s *scanner) value(place memberPlace) (plain bool) {
	m := &s.fields
	switch place.kind {
	case 't':
		*m.textSpace[place.index], plain = s.string()
	case 'd':
		text, is := s.string()
		*m.dateSpace[place.index], plain = plainDate(text)
		plain = plain && is
	case 'f':
		s.space()
		switch rest := s.text[s.at:]; {
		case strings.HasPrefix(rest, "true"):
			*m.flagSpace[place.index], s.at, plain = &isTrue, s.at+4, true
		case strings.HasPrefix(rest, "false"):
			*m.flagSpace[place.index], s.at, plain = &isFalse, s.at+5, true
		}
	case 'n':
		s.space()
		begin := s.at
		for s.at < len(s.text) && (s.text[s.at] == '-' || s.text[s.at] >= '0' && s.text[s.at] <= '9') {
			s.at++
		}
		number, err := strconv.ParseInt(s.text[begin:s.at], 10, 64)
		value := Integer(number)
		*m.numberSpace[place.index], plain = &value, err == nil
	case 'l':
		plain = s.list(m.list)
	case 'r':
		s.space()
		begin := s.at
		plain = s.skip()
		*m.raw = json.RawMessage(s.text[begin:s.at])
	default:
		plain = s.skip()
	}
	return plain
}

func (s *scanner) list(into *[]string) bool {
	if !s.take('[') {
		return false
	}
	*into = (*into)[:0]
	if s.take(']') {
		return true
	}
	for {
		item, plain := s.string()
		if !plain {
			return false
		}
		*into = append(*into, item)
		if !s.take(',') {
			return s.take(']')
		}
	}
}

// skip goes past a value of a text that is known to be JSON.
func (s *scanner) skip() bool {
	s.space()
	depth := 0
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '"':
			for s.at++; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
				if s.text[s.at] == '\\' {
					s.at++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return true
			}
			depth--
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

// plainDate reads a date without a fraction of a second.
func plainDate(text string) (Timestamp, bool) {
	text = strings.TrimSuffix(text, "Z")
	if len(text) != len(dateLayout) || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' {
		return Timestamp{}, false
	}
	plain := true
	digits := func(from, to int) (number int) {
		for _, char := range []byte(text[from:to]) {
			plain = plain && char >= '0' && char <= '9'
			number = 10*number + int(char-'0')
		}
		return number
	}
	year, month, day, hour, minute, second := digits(0, 4), digits(5, 7), digits(8, 10), digits(11, 13), digits(14, 16), digits(17, 19)
	if !plain || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59 {
		return Timestamp{}, false // perhaps a date all the same
	}
	return Timestamp{time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC).Unix(), true}, true
}
