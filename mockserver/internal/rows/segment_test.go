package rows_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// A request for events has no filter, but an overlay may give it one: then the file holds what happened to the members of the segment
// that attributes show, and nothing else is left out.
func TestEventsOfASegment(t *testing.T) {
	library := embedded(t)
	identified := func(data []byte) (rows []json.RawMessage, profiles []string) {
		t.Helper()
		must.Do(t, json.Unmarshal(data, &rows))
		for _, row := range rows {
			var about struct {
				Identifiers struct {
					Profile string `json:"profile_id"`
				}
			}
			must.Do(t, json.Unmarshal(row, &about))
			profiles = append(profiles, about.Identifiers.Profile)
		}
		return rows, profiles
	}
	for _, name := range []string{"profiles.events", "profiles.reachability"} {
		for _, code := range []string{"vip", "lapsed"} {
			people := wholeFile(library, kind(t, library, "profiles.attributes"))
			people.Segment = code
			members := map[string]bool{}
			_, profiles := identified(text(t, open(t, library, people)))
			for _, profile := range profiles {
				members[profile] = true
			}
			spec := wholeFile(library, kind(t, library, name))
			spec.Settings = people.Settings
			all, profiles := identified(text(t, open(t, library, spec)))
			spec.Segment = code
			found, _ := identified(text(t, open(t, library, spec)))
			count := 0
			for i, row := range all {
				if !members[profiles[i]] {
					continue
				}
				if count >= len(found) || !bytes.Equal(found[count], row) {
					t.Fatalf("%s, the segment %v: row %d is not %s", name, code, count, row)
				}
				count++
			}
			if count != len(found) || count == 0 && name == "profiles.events" {
				t.Errorf("%s, the segment %v: %d rows, want %d", name, code, len(found), count)
			}
		}
	}
}
