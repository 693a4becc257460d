package schemas_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// manyUnknown is a payload with members that no schema knows.
func manyUnknown(count int) []byte {
	var text strings.Builder
	text.WriteByte('{')
	for i := range count {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `"k%06d":1`, count-1-i)
	}
	text.WriteByte('}')
	return []byte(text.String())
}

// TestManyUnknownMembers: of many faults of one kind the first are worded, and all are counted.
func TestManyUnknownMembers(t *testing.T) {
	library := need(schemas.Embedded())(t)
	const count = 5000
	value := need(schemas.Decode(manyUnknown(count)))(t)
	var invalid *schemas.InvalidError
	if err := library.Validate("legacy/userbase.request", value); !errors.As(err, &invalid) {
		t.Fatalf("the payload was taken: %v", err)
	}
	// The missing member ids is the first fault, and it is never left out.
	if len(invalid.Problems) != 100 || invalid.More != count+1-100 {
		t.Errorf("%d problems and %d more, want 100 of %d", len(invalid.Problems), invalid.More, count+1)
	}
	for i, problem := range invalid.Problems[1:] {
		if want := fmt.Sprintf("/k%06d", i); problem.Pointer != want || problem.Keyword != "additionalProperties" {
			t.Fatalf("problem %d is %s at %s, want one at %s", i+1, problem.Keyword, problem.Pointer, want)
		}
	}
	if first := invalid.Problems[0]; first.Pointer != "/ids" || first.Keyword != "required" {
		t.Errorf("the first problem is %s at %s", first.Keyword, first.Pointer)
	}
}
