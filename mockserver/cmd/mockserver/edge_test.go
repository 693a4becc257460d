package main

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// slack is what is left of the time for a body when a server of these tests is asked.
const slack = 2 * time.Second

// launch runs a command that listens, until the test ends, and returns all that it prints before it answers.
func launch(t *testing.T, arguments ...string) (printed func(beginning string) string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	output, ended := &locked{}, make(chan int, 1)
	go func() {
		ended <- run(ctx, arguments, terminal{out: io.MultiWriter(writer, output), err: output, environment: func(string) string { return "" },
			now: func() time.Time { return time.Now().Add(slack - time.Minute) }})
		writer.Close()
	}()
	lines := bufio.NewScanner(reader)
	t.Cleanup(func() {
		cancel()
		for lines.Scan() {
		}
		<-ended
	})
	return func(beginning string) string {
		t.Helper()
		for lines.Scan() {
			if rest, is := strings.CutPrefix(lines.Text(), beginning); is {
				rest, _, _ = strings.Cut(strings.TrimSpace(rest), " ")
				return rest
			}
		}
		t.Fatalf("%v did not print %q: %s", arguments, beginning, output)
		return ""
	}
}

// doors are all the listeners that the program has: a new one is in this table, or TestOneServer finds it.
func doors(t *testing.T, behind http.Handler) map[string]string {
	t.Helper()
	store := httptest.NewServer(behind)
	t.Cleanup(store.Close)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, store.URL+"/f", http.StatusTemporaryRedirect)
			return
		}
		behind.ServeHTTP(w, r)
	}))
	t.Cleanup(service.Close)
	redirect := func(base string) string {
		request := must.Get(http.NewRequest("GET", base+"/away", nil))(t)
		answer := must.Get(http.DefaultTransport.RoundTrip(request))(t)
		answer.Body.Close()
		return strings.TrimSuffix(answer.Header.Get("Location"), "/f")
	}
	found := map[string]string{}
	for where, address := range map[string]string{"loopback": "127.0.0.1:0", "both loopbacks": "localhost:0", "network": "0.0.0.0:0"} {
		serve := launch(t, "serve", "--addr", address, "--files-addr", address, "--state", "memory", "--profiles", "10")
		found["serve, "+where], found["files, "+where] = serve("listening on "), serve("  files ")
		proxy := launch(t, "proxy", "--addr", address, "--upstream", service.URL, "--rewrite-links", "--fail-on", "never",
			"--report", filepath.Join(t.TempDir(), "report"))
		base := proxy("listening on ")
		if where == "network" {
			base = proxy("  clients ")
		}
		found["proxy, "+where], found["another origin, "+where] = base, redirect(base)
	}
	for door, base := range found {
		found[door] = strings.Replace(base, "[::]", "127.0.0.1", 1)
	}
	return found
}

// TestEdge: one table of attacks runs against each listener of the program. Nothing of them reaches a service behind it.
func TestEdge(t *testing.T) {
	var reached atomic.Int64
	behind := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err == nil && r.URL.Path != "/chunks" {
			reached.Add(1)
		}
	})
	const chunks, post = "a request behind chunks", "POST /chunks HTTP/1.1\r\nHost: localhost\r\n"
	const page = "Host: localhost\r\nOrigin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n"
	attacks := []struct {
		about, request string
		statuses       []string // of the answers, in order
		says           string
		everywhere     bool // not on loopback alone
	}{
		{"a name that a page owns", "GET /_mock/state HTTP/1.1\r\nHost: evil.example\r\n\r\n", []string{"403"}, "--host", false},
		{"a target of such a name", "GET http://evil.example/_mock/state HTTP/1.1\r\nHost: localhost\r\n\r\n", []string{"403"}, "--host", false},
		{"two names", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", []string{"400"}, "", true},
		{"no name", "GET / HTTP/1.1\r\n\r\n", []string{"400"}, "", true},
		{"two lengths", post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", []string{"400"}, "", true},
		{"a head without end", "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 80<<10) + "\r\n\r\n", []string{"431"}, "", true},
		{"a form of a page", "POST /_mock/check HTTP/1.1\r\n" + page + "Content-Length: 0\r\n\r\n", []string{"403", "404"}, "", true},
		{"a question of a browser", "OPTIONS /2.7/profiles/export HTTP/1.1\r\n" + page + "Access-Control-Request-Method: POST\r\n\r\n",
			[]string{"403", "404"}, "--cors", true},
		{chunks, post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
			nil, "", true},
		{"half a body", post + "Content-Length: 100\r\n\r\nhalf", nil, "", true},
	}
	for door, base := range doors(t, behind) {
		for _, attack := range attacks {
			if !attack.everywhere && strings.HasSuffix(door, "network") {
				continue
			}
			t.Run(door+"/"+attack.about, func(t *testing.T) {
				t.Parallel()
				address, path, _ := strings.Cut(strings.TrimPrefix(base, "http://"), "/")
				request := attack.request
				if path != "" { // its token
					method, target, _ := strings.Cut(request, " ")
					request = method + " /" + path + target
				}
				answer := converseWith(t, address, request)
				head, _, _ := strings.Cut(answer, "\r\n\r\n")
				number := strings.Count(answer, "HTTP/1.1 ")
				if number > 1 || strings.HasPrefix(answer, "HTTP/1.1 2") && attack.about != chunks {
					t.Errorf("%d answers: %.500s", number, answer)
				}
				status, _, _ := strings.Cut(strings.TrimPrefix(head, "HTTP/1.1 "), " ")
				if attack.statuses != nil && !slices.Contains(attack.statuses, status) || !strings.Contains(answer, attack.says) {
					t.Errorf("want %v with %q: %.500s", attack.statuses, attack.says, answer)
				}
			})
		}
	}
	t.Cleanup(func() {
		if number := reached.Load(); number > 0 {
			t.Errorf("%d of the attacks reached a service", number)
		}
	})
}

// converseWith sends bytes, and reads until the server closes the connection, which it has to.
func converseWith(t *testing.T, address, request string) string {
	t.Helper()
	connection := must.Get(net.Dial("tcp", address))(t)
	defer connection.Close()
	if _, err := io.WriteString(connection, strings.Replace(request, "\r\n", "\r\nConnection: close\r\n", 1)); err != nil {
		t.Log(err) // it was refused before its end
	}
	must.Do(t, connection.SetReadDeadline(time.Now().Add(30*time.Second)))
	answer, err := io.ReadAll(connection)
	if wait, is := err.(net.Error); is && wait.Timeout() {
		t.Errorf("the connection is kept: %.500q", answer)
	}
	return string(answer)
}

// TestToken: off loopback a listener asks for a token, whatever is behind it; links to files are signed.
func TestToken(t *testing.T) {
	for door, base := range doors(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.URL.Path) })) {
		bare, _, guarded := strings.Cut(base, "/_token/")
		want := map[string]int{base: http.StatusOK}
		switch kind, where, _ := strings.Cut(door, ", "); {
		case kind == "files":
			continue
		case where != "network":
		case kind == "serve":
			want[base] = http.StatusUnauthorized
		case guarded:
			want[bare], want[bare+"/_token/x"] = http.StatusForbidden, http.StatusForbidden
		default:
			t.Errorf("%s has no token: %s", door, base)
		}
		for address, status := range want {
			answer := must.Get(http.Get(address + "/_mock/clock"))(t)
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if answer.StatusCode != status || status == http.StatusOK && !strings.HasPrefix(door, "serve") && string(body) != "/_mock/clock" {
				t.Errorf("%s at %s answers %d %s, want %d", door, address, answer.StatusCode, body, status)
			}
		}
	}
}

// TestBothLoopbacks: localhost is both, and nobody else has the port of the other.
func TestBothLoopbacks(t *testing.T) {
	six, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		testlevel.Unavailable(t, "this machine has no loopback of IPv6")
	}
	six.Close()
	base := launch(t, "serve", "--addr", "localhost:0", "--state", "memory", "--profiles", "10")("listening on ")
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(base, "http://"))
	for _, host := range []string{"127.0.0.1", "[::1]"} {
		answer, err := http.Get("http://" + host + ":" + port + "/_mock/health")
		if err != nil {
			t.Error(err)
			continue
		}
		answer.Body.Close()
	}
	taken := must.Get(net.Listen("tcp", "[::1]:0"))(t)
	defer taken.Close()
	_, port, _ = net.SplitHostPort(taken.Addr().String())
	r := invoke(t, "", "serve", "--state", "memory", "--addr", "localhost:"+port)
	r.is(t, exitFailed, "", "another program listens there")
}

// TestOneServer: the program has one place where a server is made, so that the next listener has the edge of the others.
func TestOneServer(t *testing.T) {
	found := map[string]int{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "bench" || entry.Name() == "node_modules") {
			return cmp.Or(err, fs.SkipDir)
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, each := range []string{"http.Server{", "http.ListenAndServe(", "http.Serve("} {
			if strings.Contains(strings.ReplaceAll(string(text), "//\thttp.ListenAndServe(", ""), each) {
				found[filepath.ToSlash(path)]++
			}
		}
		return err
	})
	if err != nil || len(found) != 1 || found["../../cmd/mockserver/internal/listen/serve.go"] != 1 {
		t.Errorf("servers are made in %v: %v", found, err)
	}
}
