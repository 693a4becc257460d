package proof

import (
	"strings"
	"testing"
)

// Checks runs a program that prints one line a check, "ok NAME" or "not ok NAME: WHY", and makes a subtest of each. A program that
// ends badly, or that does not print the closing line "done", has failed too.
func Checks(t *testing.T, c Command) {
	t.Helper()
	stdout, stderr, err := Try(c)
	done := false
	for line := range strings.Lines(stdout) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "ok "); ok {
			t.Run(name, func(*testing.T) {})
		} else if text, ok := strings.CutPrefix(line, "not ok "); ok {
			name, why, _ := strings.Cut(text, ": ")
			t.Run(name, func(t *testing.T) { t.Error(why) })
		} else if line == "done" {
			done = true
		} else if line != "" {
			t.Log(line)
		}
	}
	if err != nil || !done {
		t.Errorf("%s did not end well: %v\n%s", c.Name, err, tail(stdout+stderr))
	}
}

// tail gives the end of a long text.
func tail(text string) string {
	const most = 4000
	if len(text) > most {
		return "..." + text[len(text)-most:]
	}
	return text
}
