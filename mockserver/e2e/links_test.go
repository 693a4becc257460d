package e2e_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestLinksLiveTwentyMinutes moves the clock over the life of a link and of a file.
func TestLinksLiveTwentyMinutes(t *testing.T) {
	for _, name := range []string{"userbase", "profiles.attributes"} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, "--state", "memory", "--profiles", "500")
			k := kindOf(name)
			id := c.create(k, k.month(), "X-Mock-Scenario", "progress=now")
			first := c.links(k, id)[0]
			original := c.send(http.MethodGet, first, "")
			if original.Status != http.StatusOK {
				t.Fatalf("a fresh link answers %d: %s", original.Status, original.Body)
			}
			if second := c.links(k, id)[0]; second == first {
				t.Error("a second lookup gives the same link")
			} else if again := c.send(http.MethodGet, second, ""); again.Status != http.StatusOK || !bytes.Equal(again.Body, original.Body) {
				t.Errorf("the second link answers %d with %d bytes, the first %d bytes", again.Status, len(again.Body), len(original.Body))
			}
			c.advance("19m59s")
			if response := c.send(http.MethodGet, first, ""); response.Status != http.StatusOK {
				t.Errorf("a link of 19:59 answers %d: %s", response.Status, response.Body)
			}
			c.advance("2s")
			if response := c.send(http.MethodGet, first, ""); response.Status != http.StatusForbidden {
				t.Errorf("a link of 20:01 answers %d, want 403", response.Status)
			} else {
				checkNativeError(t, response, k.legacy)
			}
			later := c.links(k, id)[0]
			if response := c.send(http.MethodGet, later, ""); response.Status != http.StatusOK || !bytes.Equal(response.Body, original.Body) {
				t.Errorf("a new link answers %d with %d bytes, want the same %d", response.Status, len(response.Body), len(original.Body))
			}
		})
	}
}

// TestFilesLiveOneMonth moves the clock to both sides of the end of a file's month.
func TestFilesLiveOneMonth(t *testing.T) {
	for _, name := range []string{"userbase", "profiles.attributes"} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, "--state", "memory", "--profiles", "500")
			k := kindOf(name)
			id := c.create(k, k.month(), "X-Mock-Scenario", "progress=now")
			end := noon.AddDate(0, 1, 0)
			c.freeze(end.Add(-time.Minute))
			link := c.links(k, id)[0]
			if response := c.send(http.MethodGet, link, ""); response.Status != http.StatusOK {
				t.Errorf("a minute before the end the file answers %d: %s", response.Status, response.Body)
			}
			c.freeze(end.Add(time.Minute)) // the link itself would live for another 18 minutes
			if response := c.send(http.MethodGet, link, ""); response.Status != http.StatusGone {
				t.Errorf("a minute after the end the file answers %d, want 410", response.Status)
			} else {
				checkNativeError(t, response, k.legacy)
			}
			if k.legacy {
				if record := c.lookup(id); record.Status != "SUCCESS" || record.FileURL != "" {
					t.Errorf("after the end: %+v, want SUCCESS without file_url", record)
				}
			}
		})
	}
}

// TestForgedLinksAreRefused alters every part of a link.
func TestForgedLinksAreRefused(t *testing.T) {
	c := connect(t, "--state", "memory", "--profiles", "500")
	k := kindOf("userbase")
	link := c.links(k, c.create(k, k.month(), "X-Mock-Scenario", "progress=now"))[0]
	other := c.links(k, c.create(k, k.month(), "X-Mock-Scenario", "progress=now"))[0]
	good, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, forged url.URL) {
		t.Helper()
		if forged.String() == link {
			t.Fatalf("%s: nothing was altered", what)
		}
		response := c.send(http.MethodGet, forged.String(), "")
		if response.Status != http.StatusForbidden && response.Status != http.StatusNotFound {
			t.Errorf("%s: status %d, want 403: %.100s", what, response.Status, response.Body)
		}
	}
	for name, values := range good.Query() {
		for what, change := range map[string]func(url.Values){
			"without " + name: func(q url.Values) { q.Del(name) },
			"another " + name: func(q url.Values) { q.Set(name, bump(values[0])) },
			"empty " + name:   func(q url.Values) { q.Set(name, "") },
			"twice " + name:   func(q url.Values) { q[name] = []string{bump(values[0]), values[0]} },
		} {
			query := good.Query()
			change(query)
			forged := *good
			forged.RawQuery = query.Encode()
			refused(what, forged)
		}
	}
	bare := *good
	bare.RawQuery = ""
	refused("no query", bare)
	foreign, err := url.Parse(other)
	if err != nil {
		t.Fatal(err)
	}
	foreign.RawQuery = good.RawQuery
	refused("signature of another file", *foreign)
	if response := c.send(http.MethodGet, link, ""); response.Status != http.StatusOK {
		t.Errorf("the good link answers %d", response.Status)
	}
}

// bump alters a value and keeps its kind. Of a text it changes the first character: the last one of an unpadded base64 text may
// carry bits that mean nothing.
func bump(value string) string {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return strconv.FormatInt(n+1, 10)
	}
	switch {
	case value == "":
		return "1"
	case value[0] == 'a':
		return "b" + value[1:]
	default:
		return "a" + value[1:]
	}
}

// TestDownloadsSpeakHTTP checks what a download manager relies on.
func TestDownloadsSpeakHTTP(t *testing.T) {
	straight(t, "it says nothing of the length of an answer to HEAD")
	c := connect(t, "--state", "memory", "--profiles", "2000")
	for _, name := range []string{"userbase", "profiles.events"} {
		t.Run(name, func(t *testing.T) {
			c := &client{t, c.base, c.http}
			k := kindOf(name)
			link := c.links(k, c.create(k, k.month(), "X-Mock-Scenario", "progress=now"))[0]
			whole := c.send(http.MethodGet, link, "")
			size := len(whole.Body)
			etag := whole.Header.Get("ETag")
			if etag == "" || whole.Header.Get("Content-Length") != strconv.Itoa(size) || whole.Header.Get("Accept-Ranges") != "bytes" {
				t.Errorf("headers %v for %d bytes", whole.Header, size)
			}
			media := map[bool]string{true: "text/csv", false: "application/json"}[k.legacy]
			if !strings.HasPrefix(whole.Header.Get("Content-Type"), media) {
				t.Errorf("Content-Type %q, want %s", whole.Header.Get("Content-Type"), media)
			}
			if !strings.HasPrefix(whole.Header.Get("Content-Disposition"), "attachment") {
				t.Errorf("Content-Disposition %q", whole.Header.Get("Content-Disposition"))
			}

			head := c.send(http.MethodHead, link, "")
			if head.Status != http.StatusOK || len(head.Body) != 0 || head.Header.Get("Content-Length") != strconv.Itoa(size) ||
				head.Header.Get("ETag") != etag {
				t.Errorf("HEAD: %d %v", head.Status, head.Header)
			}
			cases := []struct {
				name    string
				headers []string
				status  int
				from    int
				to      int // exclusive
			}{
				{"first bytes", []string{"Range", "bytes=0-99"}, 206, 0, 100},
				{"middle", []string{"Range", "bytes=12345-70000"}, 206, 12345, 70001},
				{"open end", []string{"Range", "bytes=500-"}, 206, 500, size},
				{"last bytes", []string{"Range", "bytes=-77"}, 206, size - 77, size},
				{"past the end", []string{"Range", "bytes=99999999999-"}, 416, 0, 0},
				{"same file", []string{"Range", "bytes=10-19", "If-Range", etag}, 206, 10, 20},
				{"another file", []string{"Range", "bytes=10-19", "If-Range", `"other"`}, 200, 0, size},
				{"not modified", []string{"If-None-Match", etag}, 304, 0, 0},
				{"modified", []string{"If-None-Match", `"other"`}, 200, 0, size},
				{"precondition", []string{"If-Match", `"other"`}, 412, 0, 0},
			}
			if size < 80000 {
				t.Fatalf("the file has %d bytes, too few for this test", size)
			}
			for _, test := range cases {
				response := c.send(http.MethodGet, link, "", test.headers...)
				if response.Status != test.status {
					t.Errorf("%s: status %d, want %d", test.name, response.Status, test.status)
					continue
				}
				if test.status <= 206 && !bytes.Equal(response.Body, whole.Body[test.from:test.to]) {
					t.Errorf("%s: %d bytes, want bytes %d to %d of the file", test.name, len(response.Body), test.from, test.to)
				}
			}
			several := c.send(http.MethodGet, link, "", "Range", "bytes=0-9,1000-1019")
			if several.Status != http.StatusPartialContent || !strings.HasPrefix(several.Header.Get("Content-Type"), "multipart/byteranges") ||
				!bytes.Contains(several.Body, whole.Body[1000:1020]) {
				t.Errorf("two ranges: %d %s", several.Status, several.Header.Get("Content-Type"))
			}
			if post := c.send(http.MethodPost, link, "{}"); post.Status == http.StatusOK {
				t.Error("POST on a file is answered 200")
			}
		})
	}
}
