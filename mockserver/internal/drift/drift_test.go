package drift_test

import "testing"

// TestClean: of a service that speaks as the schema files say, nothing is found.
func TestClean(t *testing.T) {
	b := proxied(t, service(t, nil, nil), nil)
	b.tour()
	b.end()
	if found := b.observer.Findings(); len(found) > 0 {
		t.Errorf("%d findings:%s", len(found), describe(found))
	}
	if seen := b.observer.Seen; seen.Files < 12 || seen.Faults > 0 || len(b.observer.Unseen()) > 0 {
		t.Errorf("seen %+v, not seen %v", seen, b.observer.Unseen())
	}
}
