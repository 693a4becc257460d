package schemas_test

import (
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

func TestLikely(t *testing.T) {
	known := []string{"from", "to", "events", "ids", "--addr", "--refuse-authorization", "userbase"}
	for _, c := range []struct{ word, want string }{
		{"event", "events"},
		{"evnets", "events"},
		{"EVENTS", "events"},
		{"form", "from"},
		{"id", ""}, // short words are alike too soon
		{"--refuse-auth", "--refuse-authorization"},
		{"--adr", "--addr"},
		{"--refuse-authorizatio", "--refuse-authorization"},
		{"from", ""}, // not misspelt
		{"", ""},
		{"x", ""},
		{"campaigns", ""},
		{strings.Repeat("events", 20), "events"}, // longer, but begins with it
		{"\xff\xfe", ""},
	} {
		if got := schemas.Likely(c.word, known); got != c.want {
			t.Errorf("%.40q: got %q, want %q", c.word, got, c.want)
		}
	}
	if got := schemas.Likely("from", nil); got != "" {
		t.Errorf("no candidates: got %q", got)
	}
}
