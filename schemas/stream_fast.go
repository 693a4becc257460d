package schemas

import (
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// fastCheck says yes to most values that conform, many times faster than the validator does. Where it does
// not say yes, nothing is known, and the validator decides.
type fastCheck struct {
	acceptor *acceptor.Acceptor
	document acceptor.Document
	text     []byte
}

func (l *Library) newFastCheck(s *jsonschema.Schema) *fastCheck {
	type key struct{ schema *jsonschema.Schema }
	accept := Derived(l, key{s}, func() *acceptor.Acceptor {
		// With an error the acceptor accepts nothing, which is right, if slow.
		accept, _ := acceptor.Compile(s)
		return accept
	})
	return &fastCheck{acceptor: accept}
}

// value says yes to a JSON text that conforms.
func (c *fastCheck) value(text []byte) bool { return c.acceptor.Accept(text, &c.document) }

// row says yes to a CSV row that conforms.
func (c *fastCheck) row(header, cells []string) bool {
	text := append(c.text[:0], '{')
	for i, cell := range cells {
		if !plainText(header[i]) || !plainText(cell) {
			return false
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, '"')
		text = append(text, header[i]...)
		text = append(text, `":"`...)
		text = append(text, cell...)
		text = append(text, '"')
	}
	c.text = append(text, '}')
	return c.value(c.text)
}

// plainText tells whether JSON writes a text as it is. The text is valid UTF-8.
func plainText(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
