package world

import (
	"bytes"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// actionPrefix begins the identifiers of built-in actions (actions module).
const actionPrefix = "service."

// Prefixed is a fact, of the name that is given, in which identifiers of built-in
// actions begin with another prefix.
func (f Fact) Prefixed(name, prefix string) Fact {
	if name != vocabulary.CTA || prefix == actionPrefix {
		return f
	}
	if words := f.Words; words != nil {
		f.Words = func(row *Row) string {
			text := words(row)
			if action, builtIn := strings.CutPrefix(text, actionPrefix); builtIn {
				return prefix + action
			}
			return text
		}
	}
	if text := f.Text; text != nil {
		f.Width, f.Length = 0, nil
		f.Text = func(dst []byte, row *Row) []byte {
			begin := len(dst)
			dst = text(dst, row)
			action, builtIn := bytes.CutPrefix(dst[begin:], []byte(actionPrefix))
			if !builtIn {
				return dst
			}
			action = bytes.Clone(action)
			return append(append(dst[:begin], prefix...), action...)
		}
	}
	return f
}
