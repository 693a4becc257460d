package drift_test

import (
	"os"
	"testing"
)

// TestListOfLinks: links may be texts in a list. The files behind them are checked, in their archive.
func TestListOfLinks(t *testing.T) {
	overlay := os.DirFS("../../examples/services/contacts")
	b := proxied(t, service(t, overlay, nil), overlay)
	headers := []string{"Authorization: Bearer token_demo"}
	_, created, _ := b.ask("POST", "/v3/contacts/exports", `{}`, headers...)
	id, _ := decode(created)["id"].(string)
	file := b.fetch("/v3/contacts/exports/"+id, headers)
	b.end()
	if seen := b.observer.Seen; len(file) == 0 || seen.Files != 1 || len(b.observer.Findings()) > 0 {
		t.Errorf("%d bytes for %s, %+v%s", len(file), created, seen, describe(b.observer.Findings()))
	}
}
