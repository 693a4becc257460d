package world

import (
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// No two people have the same identifier or address, nor, while there are
// telephone lines enough, the same number; and everybody speaks a language of
// the place where they live.
func TestPeopleAreToldApart(t *testing.T) {
	for _, seed := range []uint64{0, 9} {
		w := New(seed, 20_000)
		view := viewOf(t, w, Query{View: vocabulary.ViewProfiles, Now: segmentNow})
		fact := func(name string) Fact {
			found, known := w.Fact(name, Scope{View: view})
			if !known {
				t.Fatalf("there is no fact %s", name)
			}
			return found
		}
		unique := map[string]Fact{}
		for _, name := range []string{"profile.id", "profile.custom_id", "profile.email_address", "profile.phone_number"} {
			unique[name] = fact(name)
		}
		language, phone := fact("profile.language"), unique["profile.phone_number"]
		seen, numbers := map[string]bool{}, 0
		for _, row := range allRows(view) {
			for name, each := range unique {
				if each.Absent != nil && each.Absent(&row) {
					continue
				}
				text := string(each.Text(nil, &row))
				if seen[name+text] {
					t.Fatalf("seed %d: two people have the %s %s", seed, name, text)
				}
				seen[name+text] = true
				if domain := strings.ToLower(text); name == "profile.email_address" && !strings.HasSuffix(domain, ".example") && !strings.Contains(domain, "@example.") {
					t.Fatalf("%s is not under a reserved domain", text)
				}
			}
			home := &places.All[places.OfLine(w.lineOf(row.Profile))]
			if spoken := string(language.Text(nil, &row)); spoken != home.Language && spoken != home.Minority {
				t.Fatalf("%s is not spoken in %s", spoken, home.Region)
			}
			if phone.Absent(&row) {
				continue
			}
			numbers++
		}
		if numbers < 5_000 {
			t.Errorf("%d numbers: the test sees little", numbers)
		}
	}
}
