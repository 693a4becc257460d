package listen

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// limited is a response whose connection notes its limits.
type limited struct {
	*httptest.ResponseRecorder
	limits []time.Time
}

func (l *limited) SetReadDeadline(limit time.Time) error {
	l.limits = append(l.limits, limit)
	return nil
}

// TestBodiesHaveAMinute: and answers have all the time they want, once the body was read.
func TestBodiesHaveAMinute(t *testing.T) {
	for body, want := range map[string][]time.Time{
		"":             nil,
		"half of it":   {noon.Add(time.Minute)},
		"all there is": {noon.Add(time.Minute), {}},
	} {
		w := &limited{ResponseRecorder: httptest.NewRecorder()}
		handler := limitBody(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			reader := io.Reader(r.Body)
			if strings.HasPrefix(body, "half") {
				reader = io.LimitReader(reader, 4)
			}
			if _, err := io.ReadAll(reader); err != nil {
				t.Error(err)
			}
		}), func() time.Time { return noon })
		handler.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(body)))
		if !slices.Equal(w.limits, want) {
			t.Errorf("%q: the limits are %v, want %v", body, w.limits, want)
		}
	}
}

// TestChunksEndTheConnection: nothing that follows them is a request.
func TestChunksEndTheConnection(t *testing.T) {
	for _, c := range []struct {
		length int64
		major  int
		want   string
	}{{-1, 1, "close"}, {4, 1, ""}, {0, 1, ""}, {-1, 2, ""}} {
		r := httptest.NewRequest("POST", "/", strings.NewReader("body"))
		r.ContentLength, r.ProtoMajor = c.length, c.major
		w := &limited{ResponseRecorder: httptest.NewRecorder()}
		limitBody(http.NotFoundHandler(), func() time.Time { return noon }).ServeHTTP(w, r)
		if got := w.Header().Get("Connection"); got != c.want {
			t.Errorf("length %d, HTTP/%d: Connection %q, want %q", c.length, c.major, got, c.want)
		}
	}
}
