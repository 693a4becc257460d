package drift_test

import (
	"os"
	"strings"
	"testing"
)

// TestAddedServices: links may be texts in a list, and an answer the file itself. Their files are checked, unpacked; nothing is
// invented; and lints cite the schema files of the interface.
func TestAddedServices(t *testing.T) {
	for name, c := range map[string]struct {
		ask   func(b *beside)
		files int64
		cites string
	}{
		"contacts": {func(b *beside) {
			headers := []string{"Authorization: Bearer token_demo"}
			_, created, _ := b.ask("POST", "/v3/contacts/exports", `{}`, headers...)
			id, _ := decode(created)["id"].(string)
			b.fetch("/v3/contacts/exports/"+id, headers)
		}, 1, "contacts/interface.json#/x-interface/states of Contacts"},
		"analytics": {func(b *beside) {
			for _, path := range []string{"export?start=20260314T05&end=20260314T09", "days/2026-03-14", "days/2026-03-34", "days/2026-03-34"} {
				b.ask("GET", "/api/2/"+path, "", "Authorization: Basic cHJvamVjdF9kZW1vOnRva2VuX2RlbW8=")
			}
		}, 2, "analytics/interface.json#/x-interface/errors of Analytics"},
	} {
		t.Run(name, func(t *testing.T) {
			overlay := os.DirFS("../../examples/services/" + name)
			b := proxied(t, service(t, overlay, nil), overlay)
			c.ask(b)
			b.end()
			if seen := b.observer.Seen; seen.Files != c.files || len(b.observer.Findings()) > 0 {
				t.Errorf("%+v%s", seen, describe(b.observer.Findings()))
			}
			if lints := b.observer.Lints(); len(lints) == 0 || !strings.Contains(lints[0].Rule, c.cites) {
				t.Errorf("no lint, or another rule: %+v", lints)
			}
		})
	}
}
