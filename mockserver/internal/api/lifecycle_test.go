package api_test

import (
	"net/http"
	"testing"
	"time"
)

// TestEveryKindFromRequestToFile follows each kind along the whole way.
func TestEveryKindFromRequestToFile(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			s := newServer(t)
			id := s.create(k.path, k.body, "progress=time:4s")
			for _, step := range []struct {
				after  time.Duration
				status string
			}{{0, "CREATED"}, {999 * time.Millisecond, "CREATED"}, {time.Second, "PENDING"}, {4*time.Second - 1, "PENDING"}, {4 * time.Second, "SUCCESS"}} {
				s.clock.Set(noon.Add(step.after))
				record := s.lookup(id)
				if record.body["status"] != step.status {
					t.Errorf("after %v the status is %v, want %s", step.after, record.body["status"], step.status)
				}
			}
			for _, link := range s.links(id) {
				file := s.get(link)
				if file.StatusCode != http.StatusOK || file.ContentLength == 0 {
					t.Fatalf("the file answers %d: %.200s", file.StatusCode, file.text)
				}
			}
		})
	}
}
