package server_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestUnknownQueryParameters: no route of the control API passes over a
// parameter that it does not have, and it does nothing before it refuses one.
func TestUnknownQueryParameters(t *testing.T) {
	s := newServer(t)
	kept := s.create(userbasePath, userbaseBody, "")
	for _, c := range routeCases {
		if !strings.HasPrefix(c.path, "/_mock/") {
			continue
		}
		path := c.path + "?"
		if strings.Contains(c.path, "?") {
			path = c.path + "&"
		}
		t.Run(c.name, func(t *testing.T) {
			a := s.do(call{method: c.method, path: path + "kee=live_demo", body: c.body, header: http.Header{"Content-Type": {"application/json"}}})
			s.refused(a, 400, "MALFORMED_PARAMETER", `"kee" is not known`)
		})
	}
	if a := s.do(call{method: "GET", path: "/_mock/exports/" + kept}); a.StatusCode != 200 {
		t.Errorf("the export is gone: %s", a.text)
	}
	s.refused(s.do(call{method: "DELETE", path: "/_mock/data?key=live_demo"}), 400, "MALFORMED_PARAMETER", `"key" is not known; this route has none`)
	s.refused(s.do(call{method: "GET", path: "/_mock/exports?form=x"}), 400, "MALFORMED_PARAMETER", "did you mean from?")
}
