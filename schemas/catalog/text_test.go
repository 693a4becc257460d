package catalog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas/catalog"
)

// TestDifferenceText: what differs is seen, however long the values are.
func TestDifferenceText(t *testing.T) {
	long := strings.Repeat("long ", 30)
	quoted := func(text string) string { return `"` + text + `"` }
	for _, c := range []struct{ before, after, want string }{
		{"", `1`, "added 1"},
		{`"x"`, "", `removed "x"`},
		{"", quoted(long), "added " + quoted(long)[:99] + "…"},
		{`1`, `"x"`, `changed from 1 to "x"`},
		{`["x"]`, `null`, `changed from ["x"] to null`},
		{`["a","b"]`, `["n","a","b"]`, `added "n"`},
		{`["a","b","a"]`, `["a"]`, `removed "b", "a"`},
		{`["a","b"]`, `["c",{"d":1},"b"]`, `added "c", {"d":1}; removed "a"`},
		{`["a","b"]`, `["b","a","c"]`, `added "c"; others are in another order`},
		{`[]`, `[0,1,2,3,4,5,6,7,8,9,10,11]`, "added 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"},
		{quoted(long + "before"), quoted(long + "after"), `changed from …` + long[len(long)-20:] + `before" to …` + long[len(long)-20:] + `after"`},
		{quoted("x" + long), `"y"`, "changed from " + quoted("x" + long)[:99] + `… to "y"`},
	} {
		var before, after json.RawMessage
		if c.before != "" {
			before = json.RawMessage(c.before)
		}
		if c.after != "" {
			after = json.RawMessage(c.after)
		}
		if got := (catalog.Difference{Pointer: "/x", Before: before, After: after}).Text(); got != c.want {
			t.Errorf("%s to %s: %s\nwant %s", c.before, c.after, got, c.want)
		}
	}
}
