package httpd_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// TestNothingIsUsedAgainAfterAPanic: a handler that panicked may have left somebody behind.
func TestNothingIsUsedAgainAfterAPanic(t *testing.T) {
	server := serve(t, on(exports.Interface{}, "/panics", func(r *httpd.Request) (httpd.Response, error) {
		if r.Kept() != nil {
			t.Error("what an earlier request has kept is used again")
		}
		r.Keep("something")
		panic("a broken table")
	}))
	for range 20 {
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/panics", nil))
		if w.Code != http.StatusInternalServerError {
			t.Errorf("answered %d", w.Code)
		}
	}
}
