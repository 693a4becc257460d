package schemas_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// problems validates a value that must be refused.
func problems(t *testing.T, schema string, value any) *schemas.InvalidError {
	t.Helper()
	var invalid *schemas.InvalidError
	if err := schemas.Validate(schema, value); !errors.As(err, &invalid) {
		t.Fatalf("%s: got %v", schema, err)
	}
	return invalid
}

// repeated is an array of one value, many times.
func repeated(value any, times int) []any {
	list := make([]any, times)
	for i := range list {
		list[i] = value
	}
	return list
}

// A payload full of faults is not answered by a list of all of them.
func TestManyProblems(t *testing.T) {
	for _, c := range []struct {
		about  string
		schema string
		value  any
		first  string // pointer and keyword
		more   int    // at least
	}{
		{"a hundred", "userbase.request", map[string]any{"ids": repeated("x", 100)}, "/ids/0 enum", 0},
		{"one more", "userbase.request", map[string]any{"ids": repeated("x", 101)}, "/ids/0 enum", 1},
		{"very many", "userbase.request", map[string]any{"ids": repeated("install_if", 240_000)}, "/ids/0 enum", 1000},
		{"a missing member is named before all others", "legacy/reachability.request",
			map[string]any{"from": "now", "ids": repeated("x", 200)}, "/ids/0 enum", 101},
		{"very many and too many", "attributes.request",
			map[string]any{"export_type": "ATTRIBUTES", "attributes": repeated("$x", 200_000)}, "/attributes maxItems", 1000},
		{"only too many", "attributes.request",
			map[string]any{"export_type": "ATTRIBUTES", "attributes": repeated("x", 200_000)}, "/attributes maxItems", 0},
		{"one fault behind very many items", "userbase.request",
			map[string]any{"ids": append(repeated("custom_id", 5000), "x")}, "/ids/5000 enum", 0},
	} {
		found := problems(t, c.schema, c.value)
		if first := found.Problems[0].Pointer + " " + found.Problems[0].Keyword; first != c.first {
			t.Errorf("%s: the first problem is %s, want %s", c.about, first, c.first)
		}
		if found.More < c.more || c.more == 0 && found.More > 0 || found.More > 0 && len(found.Problems) != 100 {
			t.Errorf("%s: %d problems and %d more, want %d more", c.about, len(found.Problems), found.More, c.more)
		}
	}
	missing := problems(t, "legacy/reachability.request", map[string]any{"from": "now", "ids": repeated("x", 200)})
	if last := missing.Problems[len(missing.Problems)-1]; last.Pointer != "/to" || last.Keyword != "required" {
		t.Errorf("the missing member is not among the first hundred: the last one is %+v", last)
	}
	found := problems(t, "attributes.request", map[string]any{"export_type": "ATTRIBUTES", "attributes": repeated("x", 200_000)})
	if message := found.Problems[0].Message; !strings.Contains(message, "at most 1000 items; found 200000 items") {
		t.Errorf("the message counts otherwise: %s", message)
	}
}

// A message does not repeat what a client sent at length, nor does a pointer.
func TestShortMessages(t *testing.T) {
	const long = 100_000
	for _, filler := range []string{"x", "é", "~", "/", "\x00", "\u202e"} {
		text := strings.Repeat(filler, long)
		object := map[string]any{text: 1}
		for _, c := range []struct {
			schema string
			value  any
		}{
			{"userbase.request", map[string]any{"ids": []any{"custom_id"}, text: 1}},
			{"userbase.request", map[string]any{"ids": []any{text}}},
			{"userbase.request", map[string]any{"ids": text}},
			{"legacy/reachability.request", map[string]any{"from": text, "to": "now", "ids": []any{"custom_id"}}},
			{"attributes.request", map[string]any{"export_type": "ATTRIBUTES", "attributes": []any{"$" + text}}},
			{"attributes.request", map[string]any{"export_type": "ATTRIBUTES", "attributes": []any{"x"}, "filter": object}},
		} {
			for _, problem := range problems(t, c.schema, c.value).Problems {
				if count := strings.Count(problem.Message, filler); count > 120 {
					t.Errorf("%s: the message repeats %d of %q: %.300s", c.schema, count, filler, problem.Message)
				}
				if len(problem.Message) > 900 || len(problem.Pointer) > 300 {
					t.Errorf("%s: a message of %d bytes, a pointer of %d", c.schema, len(problem.Message), len(problem.Pointer))
				}
				if err := schemas.Validate("common/problem", problem); err != nil {
					t.Errorf("%s: the pointer %q: %v", c.schema, problem.Pointer, err)
				}
			}
		}
		for _, body := range []string{`{"` + text + `":1,"` + text + `":2}`, strings.Repeat("9", 390) + "e99"} {
			if _, err := schemas.Decode([]byte(body)); err == nil || len(err.Error()) > 500 {
				t.Errorf("decoding: %.600v", err)
			}
		}
	}
}

// Problems come in the order of the payload's items, not of their digits.
func TestOrderOfProblems(t *testing.T) {
	found := problems(t, "userbase.request", map[string]any{"ids": repeated("x", 12)})
	for i, problem := range found.Problems {
		hold(t, problem.Pointer == fmt.Sprint("/ids/", i), "problem %d is at %s", i, problem.Pointer)
	}
	mixed := problems(t, "userbase.request", map[string]any{"ids": []any{"custom_id"}, "10": 1, "9": 1, "1a": 1, "a": 1, "09": 1})
	var order []string
	for _, problem := range mixed.Problems {
		order = append(order, problem.Pointer)
	}
	if got := strings.Join(order, " "); got != "/09 /9 /10 /1a /a" {
		t.Errorf("the order is %s", got)
	}
}
