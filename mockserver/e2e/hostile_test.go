package e2e_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// refusedInJournal is how many refused requests the journal holds.
func refusedInJournal(c *client) int {
	c.t.Helper()
	var counted struct{ Count int }
	c.send(http.MethodGet, "/_mock/journal/count?status=4xx", "").decode(c.t, http.StatusOK, &counted)
	return counted.Count
}

// TestHostileRequests sends what is too large, too deep, compressed or not text. Each is refused with the native error of the
// interface and is in the journal, or never becomes a request and is in the log; and the server goes on.
func TestHostileRequests(t *testing.T) {
	s := start(t, "--state", "memory", "--profiles", "100")
	c := clientOf(t, s)
	const promise = "a promise of 8 EB" // whose end never comes
	const media = "Content-Type: application/json\r\n"
	head := func(lines string) string {
		return "POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: x\r\nX-Authorization: rest_demo\r\n" + lines
	}
	with := func(lines, body string) string {
		return head(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", lines, len(body), body))
	}
	for _, test := range []struct {
		name, text string
		want       []int // one of these
		logged     bool  // in the log, not in the journal
	}{
		{"a header of 2 MB", head(media + "X-Large: " + strings.Repeat("x", 2<<20) + "\r\nContent-Length: 0\r\n\r\n"), []int{0, 431}, true},
		{"ten thousand headers", head(strings.Repeat("X-A: b\r\n", 100000) + "\r\n"), []int{0, 431}, true},
		{"a path of 2 MB", "GET /" + strings.Repeat("x", 2<<20) + " HTTP/1.1\r\nHost: x\r\n\r\n", []int{0, 431}, true},
		{"a body of 2 MB", with(media, `{"ids":["`+strings.Repeat("x", 2<<20)+`"]}`), []int{400}, false},
		{"a body of 2 MB in chunks", head(media + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", 2<<20,
			strings.Repeat(" ", 2<<20))), []int{400}, false},
		{promise, head(media + "Content-Length: 9223372036854775807\r\n\r\n{}"), []int{0, 400}, false},
		{"a million brackets", with(media, strings.Repeat("[", 1<<20-1)), []int{400}, false},
		{"a million braces", with(media, strings.Repeat(`{"":`, 1<<18-1)), []int{400}, false},
		{"a million members", with(media, `{`+strings.Repeat(`"a":1,`, 170000)+`"b":1}`), []int{400}, false},
		{"a hundred thousand unknown members", with(media, "{"+manyMembers(70000)+"}"), []int{400}, false},
		{"a hundred thousand wrong items", with(media, `{"ids":[`+strings.Repeat(`"x",`, 100000)+`"x"]}`), []int{400}, false},
		{"a number of a million digits", with(media, `{"ids":`+strings.Repeat("9", 1<<20-20)+`}`), []int{400}, false},
		{"an exponent past all numbers", with(media, `{"ids":[1e999999999]}`), []int{400}, false},
		{"half a surrogate", with(media, `{"ids":["\udfff"]}`), []int{400}, false},
		{"invalid UTF-8", with(media, "{\"ids\":[\"\xc0\xae\"]}"), []int{400}, false},
		{"a zero byte", with(media, "{\"ids\":[\"a\x00b\"]}"), []int{400}, false},
		{"a byte-order mark", with(media, "\xef\xbb\xbf"+plainBody), []int{400}, false},
		{"UTF-16", with(media, "{\x00}\x00"), []int{400}, false},
		{"a bomb", with(media+"Content-Encoding: gzip\r\n", bomb(t)), []int{400}, false},
		{"a bomb that is not announced", with(media, bomb(t)), []int{400}, false},
		{"a bomb in chunks", head(media + "Transfer-Encoding: gzip\r\n\r\n"), []int{0, 400, 501}, true},
		{"a media type of 60 kB", with("Content-Type: application/json; x="+strings.Repeat("y", 60000)+"\r\n", plainBody), []int{202, 400},
			false},
		{"a media type in pieces", with("Content-Type: application/json;;;=;\"\r\n", plainBody), []int{400}, false},
		{"a header that is not UTF-8", with("X-Authorization: \xff\xfe\r\n"+media, plainBody), []int{400, 401}, false},
		{"a credential that is not UTF-8",
			"POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: x\r\nX-Authorization: \xff\xfe\r\nContent-Length: 0\r\n\r\n", []int{401}, false},
		{"a credential with a tab",
			"POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: x\r\nX-Authorization: rest\tdemo\r\nContent-Length: 0\r\n\r\n", []int{401},
			false},
		{"a control character in a credential",
			"POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: x\r\nX-Authorization: \x1b[2J\r\nContent-Length: 0\r\n\r\n", []int{0, 400}, true},
		{"a scenario that is not UTF-8", with("X-Mock-Scenario: \xff=\xfe\r\n"+media, plainBody), []int{400}, false},
		{"a scenario of 60 kB", with("X-Mock-Scenario: "+strings.Repeat("a=b;", 15000)+"\r\n"+media, plainBody), []int{400}, false},
		{"a request identifier with a line", with("X-Request-Id: a%0d%0aX-Evil: 1\r\n"+media, plainBody), []int{202}, false},
		{"an Accept of 60 kB", "GET /1.0/x HTTP/1.1\r\nHost: x\r\nAccept: " + strings.Repeat("a/b;q=0.1,", 6000) + "\r\n\r\n", []int{404}, false},
		{"a range of 10,000 pieces", "GET /files/x HTTP/1.1\r\nHost: x\r\nRange: bytes=" + strings.Repeat("0-,", 10000) + "0-\r\n\r\n",
			[]int{403, 404}, false},
		{"another server's address", "GET http://example.com/_mock/state HTTP/1.1\r\nHost: example.com\r\n\r\n", []int{403, 404}, false},
		{"a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", []int{403}, false},
		{"a star", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", []int{200, 404}, false},
		{"an upgrade", "GET /1.0/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", []int{404}, false},
		{"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{404, 505}, false},
		{"a method that is none", "GE(T / HTTP/1.1\r\nHost: x\r\n\r\n", []int{0, 400}, true},
		{"a method of 1 MB", strings.Repeat("A", 1<<20) + " / HTTP/1.1\r\nHost: x\r\n\r\n", []int{0, 400, 431}, true},
		{"a zero byte in the path", "GET /1.0/\x00 HTTP/1.1\r\nHost: x\r\n\r\n", []int{0, 400}, true},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00", 500), []int{0, 400}, true},
	} {
		lines, entries := strings.Count(s.log.String(), "refused what was no request"), refusedInJournal(c)
		whole := 1
		if test.name == promise {
			whole = 0
		}
		answers := exchange(t, s, test.text, whole)
		status := 0
		if len(answers) > 0 {
			status = answers[0].Status
			if fields := answers[0].Header["X-Evil"]; fields != nil {
				t.Errorf("%s: a header was smuggled into the answer", test.name)
			}
			if len(answers[0].Body) > 64<<10 {
				t.Errorf("%s: the answer has %d bytes", test.name, len(answers[0].Body))
			}
		}
		if !slices.Contains(test.want, status) || len(answers) > 1 {
			t.Errorf("%s: %v, want one of %v: %.300s", test.name, statuses(answers), test.want, said(answers))
			continue
		}
		switch {
		case test.logged:
			s.awaitLog(t, "refused what was no request", lines+1)
		case status >= 400:
			if now := refusedInJournal(c); now != entries+1 && test.name != "another server's address" {
				t.Errorf("%s: the journal has %d refused requests more, want 1", test.name, now-entries)
			}
		}
	}
	stillServing(t, c)
}

// awaitLog waits until a text stands in the log a number of times: the log may come after the answer.
func (s *server) awaitLog(t testing.TB, text string, times int) {
	t.Helper()
	timer := time.NewTicker(time.Millisecond)
	defer timer.Stop()
	for over := patient(); strings.Count(s.log.String(), text) < times; <-timer.C {
		if over() {
			t.Fatalf("%q is not in the log %d times:\n%s", text, times, s.log)
		}
	}
}

// manyMembers are members of an object that nobody knows.
func manyMembers(count int) string {
	var text strings.Builder
	for i := range count {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `"m%d":0`, i)
	}
	return text.String()
}

// bomb is 64 MB of blanks, compressed.
func bomb(t testing.TB) string {
	t.Helper()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	must.Get(io.Copy(writer, io.LimitReader(blanks{}, 64<<20)))(t)
	must.Do(t, writer.Close())
	return packed.String()
}

type blanks struct{}

func (blanks) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = ' '
	}
	return len(into), nil
}

// TestNothingOutsideIsServed asks for files above and beside those of the page, and beside those of exports, in every spelling.
func TestNothingOutsideIsServed(t *testing.T) {
	const secret = "this is the secret"
	outside := t.TempDir()
	page := filepath.Join(outside, "page")
	for name, text := range map[string]string{
		"secret.txt": secret, "page/index.html": "<p>page", "page/assets/a.js": "1", "page/.hidden": secret, "page/assets/.env": secret,
		"page-secret.txt": secret,
	} {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(outside, name)), 0o755))
		must.Do(t, os.WriteFile(filepath.Join(outside, name), []byte(text), 0o644))
	}
	for name, target := range map[string]string{"page/link.txt": "../secret.txt", "page/folder": "..",
		"page/absolute": outside + "/secret.txt"} {
		if err := os.Symlink(target, filepath.Join(outside, filepath.FromSlash(name))); err != nil {
			testlevel.Unavailable(t, "symbolic links cannot be made here: "+err.Error())
		}
	}
	s := start(t, "--state", "memory", "--profiles", "100", "--web", page)
	for _, path := range []string{
		"/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/%2e%2e%2fsecret.txt", "/..%5csecret.txt", "/..\\secret.txt",
		"/....//secret.txt",
		"/assets/../../secret.txt", "/assets/..%2f..%2fsecret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "/%252e%252e/secret.txt",
		"/.%00./secret.txt", "/..;/secret.txt",
		"/assets%2f..%2f..%2fsecret.txt", "//" + outside + "/secret.txt", "/" + outside + "/secret.txt", "/file:" + outside + "/secret.txt",
		"/%c0%ae%c0%ae/secret.txt",
		"/.hidden", "/%2ehidden", "/assets/.env", "/assets/%2eenv", "/assets/", "/assets", "/link.txt", "/folder/secret.txt", "/absolute",
		"/index.html/../../secret.txt", "/../page-secret.txt",
		"/files/", "/files/..%2f", "/files/../secret.txt", "/files/..%2fsecret.txt", "/files/%2e%2e%2fsecret.txt", "/files/..", "/files/.",
		"/files//etc/passwd", "/files/%2fetc%2fpasswd", "/files/rehearsal.db",
		"/../../../../../../etc/passwd", "/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd", "/2.7/exports/download?id=..%2f..%2fsecret.txt",
		"/2.7/exports/download?id=file_..%2f_1",
	} {
		answers := exchange(t, s, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 1)
		if len(answers) != 1 || answers[0].Status < 400 || answers[0].Status >= 500 || bytes.Contains(answers[0].Body, []byte(secret)) ||
			bytes.Contains(answers[0].Body, []byte("root:")) {
			t.Errorf("GET %s: %v %.200s", path, statuses(answers), said(answers))
		}
	}
	c := clientOf(t, s)
	for path, want := range map[string]string{"/": "<p>page", "/assets/a.js": "1"} {
		if response := c.send(http.MethodGet, path, ""); response.Status != http.StatusOK || string(response.Body) != want {
			t.Errorf("GET %s: %d %s", path, response.Status, response.Body)
		}
	}
	stillServing(t, c)
}
