package input

import (
	"encoding/json"
	"strings"
)

// member is a member of an object, with its value as JSON.
type member struct{ name, value string }

// scanner reads values of a text that is known to be JSON, and decodes nothing: there may be millions of rows.
type scanner struct {
	text string
	at   int
}

// membersOf appends the members of an object to some, and reports whether the text is one.
func membersOf(text string, some []member) (all []member, is bool) {
	s := scanner{text: text}
	if !s.take('{') {
		return some, false
	}
	for !s.take('}') && s.at < len(text) {
		name := unquoted(s.value())
		s.take(':')
		some = append(some, member{name, s.value()})
		s.take(',')
	}
	return some, true
}

// eachItem visits the items of an array; of any other value, none.
func eachItem(text string, visit func(item string) error) error {
	s := scanner{text: text}
	if !s.take('[') {
		return nil
	}
	for !s.take(']') && s.at < len(text) {
		if err := visit(s.value()); err != nil {
			return err
		}
		s.take(',')
	}
	return nil
}

// unquoted is the text of a JSON string.
func unquoted(value string) (text string) {
	if len(value) < 2 {
		return ""
	}
	if text = value[1 : len(value)-1]; strings.IndexByte(text, '\\') < 0 {
		return text
	}
	_ = json.Unmarshal([]byte(value), &text) // it is known to be one
	return text
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

// value goes past a value and returns it.
func (s *scanner) value() string {
	s.space()
	begin, depth := s.at, 0
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			s.quoted()
			if depth == 0 {
				return s.text[begin:s.at]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return s.text[begin:s.at]
			}
			if depth--; depth == 0 {
				s.at++
				return s.text[begin:s.at]
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return s.text[begin:s.at]
			}
		}
		s.at++
	}
	return s.text[begin:]
}

// quoted goes past a string.
func (s *scanner) quoted() {
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return
		}
	}
	s.at = len(s.text)
}
