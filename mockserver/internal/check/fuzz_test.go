package check_test

import (
	"bytes"
	"compress/gzip"
	"reflect"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// FuzzFiles gives two files of any content, alone and together. Whatever they hold, a check ends without a panic, its
// findings name rows that may exist, and checking the same again finds the same.
func FuzzFiles(f *testing.F) {
	for _, kind := range kinds(f) {
		data := render(f, request{kind: kind, campaign: "welcome", profiles: 2})
		f.Add(data[:min(len(data), 4000)], data[:min(len(data), 2000)])
	}
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	writer.Write([]byte("install_id;event_type\na;push_sent\n"))
	writer.Close()
	f.Add(packed.Bytes(), []byte("[]"))
	f.Add([]byte(`[{"event":{"channel":"EMAIL","id":"1","timestamp":"2026-01-01T00:00:00Z","reasons":["EMAIL_ADDRESS_ADDED",7]},"identifiers":{"profile_id":"p"}}]`), []byte("{"))
	f.Add([]byte(`[{"attributes":{"$push_subscriptions":[{"installation_id":"a"},7]},"identifiers":{"profile_id":"p","installation_ids":["a","b",null]}}]`), []byte("\xef\xbb\xbf[["))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var found [2][]check.Finding
		for turn := range found {
			inputs := []check.Input{input("first", first), input("second", second)}
			options := check.Options{Now: noon, MaxFindings: 10}
			summary, err := check.Files(t.Context(), library(t), inputs, options, func(f check.Finding) bool {
				if f.Row < 0 || f.Line < 0 || f.Message == "" || f.File != "first" && f.File != "second" {
					t.Errorf("an odd finding: %+v", f)
				}
				found[turn] = append(found[turn], f)
				return true
			})
			must.Hold(t, err != nil || len(summary.Files) == 2, "%d files", len(summary.Files))
		}
		if !reflect.DeepEqual(found[0], found[1]) {
			t.Errorf("found %v, then %v", found[0], found[1])
		}
	})
}
