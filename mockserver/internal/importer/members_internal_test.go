package importer

import (
	"encoding/json"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestText: a member is read as JSON says, whichever way it is read.
func TestText(t *testing.T) {
	for _, raw := range []string{`"ada"`, `""`, `"a\"b"`, `"a\\"`, `"é"`, `"\u00e9"`, `12`, `null`, `true`, `{}`, `["a"]`, `"`, ``,
		"\"a\xffb\"", "\"a\nb\"", `"a"b"`} {
		var want string
		if json.Unmarshal([]byte(raw), &want) != nil {
			want = ""
		}
		must.Equal(t, (members{"name": json.RawMessage(raw)}).text("name"), want, "the text of %s", raw)
	}
}
