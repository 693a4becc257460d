// Package secret has texts that never print themselves: keys, tokens, passwords.
package secret

import (
	"fmt"
	"log/slog"
)

// Text is a secret. However it is printed, logged or written as JSON, only [Text.Reveal] gives it away.
type Text string

// Hidden is printed in place of a secret.
const Hidden = "(not shown)"

// Reveal returns the secret.
func (t Text) Reveal() string { return string(t) }

// String is empty for no secret.
func (t Text) String() string {
	if t == "" {
		return ""
	}
	return Hidden
}

// Format prints [Text.String], whatever the verb.
func (t Text) Format(state fmt.State, _ rune) { fmt.Fprint(state, t.String()) }

// LogValue is what a log shows.
func (t Text) LogValue() slog.Value { return slog.StringValue(t.String()) }

// MarshalText is for JSON, and whatever else writes texts.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }
