package schemas_test

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// messageMembers are the members of x-export that say which messages rows are about, with their lines.
var messageMembers = regexp.MustCompile(`\n *"(target|stream)": "[^"]*",`)

// Bytes depend on target and stream, so another value has another digest.
func TestDigestCoversMessages(t *testing.T) {
	for _, change := range [][2]string{{`"target": "campaign"`, `"target": "group"`}, {`"stream": "campaign"`, `"stream": "banner"`}} {
		l := need(schemas.Open(edited(t, "legacy/campaign.events.row.json", change[0], change[1])))(t)
		hold(t, l.Exports()[0].Digest != library(t).Exports()[0].Digest, "%s keeps the digest", change[1])
	}
}

func TestMessagesThatCannotBe(t *testing.T) {
	const row = "legacy/campaign.events.row.json"
	for _, c := range []struct{ file, old, new, want string }{
		{row, `"target": "campaign"`, `"target": "segment"`, row + "#/x-export/target: x-export.target must be campaign or group"},
		{row, `"stream": "campaign"`, `"stream": "Campaign 1"`, row + "#/x-export/stream: "},
		{"legacy/userbase.row.json", `"view": "installations",`, `"view": "installations", "stream": "campaign",`,
			"/x-export/stream: has no meaning for the view installations: leave it out"},
		{"profiles/events.output.json", `"view": "profile-messages",`, `"view": "profile-messages", "target": "group",`,
			"/x-export/target: has no meaning for the view profile-messages"},
	} {
		_, err := schemas.Open(edited(t, c.file, c.old, c.new))
		hold(t, err != nil && strings.Contains(err.Error(), c.want), "%s: got %v, want %q", c.new, err, c.want)
	}
	// A further export with a request of its own has to say it.
	text := strings.ReplaceAll(string(library(t).Source(row)), "campaign.request.json", "banner.request.json")
	text = strings.NewReplacer(`"kind": "campaign.events"`, `"kind": "banner.events"`, row, "legacy/banner.events.row.json",
		"/campaign/{campaign_token}/events", "/banner/{campaign_token}/events").Replace(text)
	request := strings.ReplaceAll(string(library(t).Source("legacy/campaign.request.json")), "campaign.request.json", "banner.request.json")
	open := func(text string) error {
		_, err := schemas.Open(fstest.MapFS{"legacy/banner.events.row.json": {Data: []byte(text)},
			"legacy/banner.request.json": {Data: []byte(request)}})
		return err
	}
	if err := open(text); err != nil {
		t.Error(err)
	}
	err := open(messageMembers.ReplaceAllString(text, ""))
	want := "schema file legacy/banner.events.row.json#/x-export/target: is missing: write \"campaign\" or \"group\""
	hold(t, err != nil && strings.HasPrefix(err.Error(), want), "got %v, want %s ...", err, want)
}

// Exports that a store holds keep the digest of the files that they were promised under, down to the last byte of a
// description: with another digest they become errors. So the files that requests and outputs consist of (also
// common/dates.json, with the title of dataDateTime) change only together with what they mean; then these are
// written anew, and CHANGELOG.md says that stored exports must be created again.
func TestStoredExportsStayValid(t *testing.T) {
	want := map[string]string{
		"legacy":   "2b9d22d8cfd1da883d3baa7e6fd06ac3b265ff7c13d7dc39a9c829782c9176a9",
		"profiles": "8011b9f5d29935571786cf5ffb9a4bfcbdafa32726894d2e53a7f666809e52f5",
	}
	for _, export := range library(t).Exports() {
		if export.Digest != want[export.Interface] {
			t.Errorf("the digest of %s is %s, want %s: exports in stores would be refused", export.Kind, export.Digest, want[export.Interface])
		}
	}
}
