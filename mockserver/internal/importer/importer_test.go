package importer_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// FuzzFiles: whatever a file holds, it is refused or becomes rows that are JSON.
func FuzzFiles(f *testing.F) {
	for _, seed := range []struct{ kind, text string }{
		{"userbase",
			"install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\na1;ada;;true;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n"},
		{"profiles.attributes",
			`[{"attributes":{"$email_address":"ada@example.com","colour":"red"},"identifiers":{"profile_id":"p1","installation_ids":["a1"]}}]`},
		{"profiles.reachability",
			`[{"event":{"channel":"PUSH","id":"x","timestamp":"2026-01-01T00:00:00Z","reasons":["SUBSCRIBED_TO_PUSH"],"is_optin":true},"identifiers":{"profile_id":"p1","installation_id":"a1"}}]`},
		{"profiles.events",
			`[{"event_type":"push_sent","event_date":"2026-01-01T00:00:00Z","platform":"IOS","identifiers":{"profile_id":"p1"}}]`},
		{"reachability.events",
			"install_id;event_date;event_type;is_reachable;is_optin;has_custom_id\na1;2026-01-01T00:00:00;reachability;true;true;false\n"},
		{"profiles.events", planted("profiles.events", "ada lovelace")},
		{"profiles.attributes", planted("profiles.attributes", "550 <ada@lovelace.com>")},
		{"", "[]"},
		{"", "\x1f\x8b"},
	} {
		f.Add(seed.kind, seed.text)
	}
	library := own(f)
	key := must.Get(pseudonym.New(pseudonym.Make()))(f)
	f.Fuzz(func(t *testing.T, kind, text string) {
		for _, key := range []*pseudonym.Key{nil, key} {
			inputs := []importer.Input{{Name: "fuzz.csv", Kind: kind, Reader: strings.NewReader(text)}}
			_, err := importer.Files(context.Background(), library, inputs, importer.Options{Key: key, Directory: t.TempDir()},
				func(kind string, row []byte) error {
					must.Hold(t, json.Valid(row) && kind != "", "a row of %s is no JSON: %s", kind, row)
					if key != nil && strings.Contains(strings.ToLower(string(row)), "lovelace") {
						t.Errorf("somebody is in a row of %s: %s", kind, row)
					}
					return nil
				})
			must.Hold(t, err == nil || err.Error() != "", "an error says nothing")
		}
	})
}
