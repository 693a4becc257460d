package proxy_test

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/proxy"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// stand is a proxy before a service, and what it saw.
type stand struct {
	*httptest.Server
	lock sync.Mutex
	seen []*drift.Exchange
	end  func()
}

func before(t *testing.T, upstream string, change ...func(*proxy.Options)) *stand {
	t.Helper()
	address := must.Get(url.Parse(upstream))(t)
	s := &stand{}
	transport := proxy.Transport(&http.Transport{})
	options := proxy.Options{
		Upstream: address, Transport: transport, Directory: t.TempDir(), MostBody: 1 << 40, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Observe: func(x *drift.Exchange) {
			s.lock.Lock()
			defer s.lock.Unlock()
			s.seen = append(s.seen, x)
		},
		Foreign: proxy.Foreign{Credentials: func() []string { return []string{"X-Authorization", "X-Service-Project"} },
			Listen: func(handler http.Handler) (string, error) {
				beside := httptest.NewServer(handler)
				t.Cleanup(beside.Close)
				_, port, err := net.SplitHostPort(beside.Listener.Addr().String())
				return port, err
			}},
	}
	for _, each := range change {
		each(&options)
	}
	p := proxy.New(options)
	s.Server = httptest.NewServer(p)
	s.end = sync.OnceFunc(func() { s.Server.Close(); transport.CloseIdleConnections(); p.Close() })
	t.Cleanup(s.end)
	return s
}

// canned is a service that reads one request from each connection, and answers with bytes.
func canned(t *testing.T, answer string) (base string, received func() string) {
	t.Helper()
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { listener.Close() })
	requests := make(chan string, 8)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			var raw bytes.Buffer
			request, err := http.ReadRequest(bufio.NewReader(io.TeeReader(connection, &raw)))
			if err == nil {
				io.Copy(io.Discard, request.Body)
				io.WriteString(connection, answer)
				requests <- raw.String()
			}
			connection.Close()
		}
	}()
	return "http://" + listener.Addr().String(), func() string { return <-requests }
}

// converse sends bytes to an address and reads all that comes back.
func converse(t *testing.T, base, request string) string {
	t.Helper()
	connection := must.Get(net.Dial("tcp", strings.TrimPrefix(base, "http://")))(t)
	defer connection.Close()
	io.WriteString(connection, request)
	answer, _ := io.ReadAll(connection)
	return string(answer)
}

// lines are the first line of a message, its headers in alphabetical order without those that belong to one connection, and its body.
func lines(message string) []string {
	head, body, _ := strings.Cut(message, "\r\n\r\n")
	all := strings.Split(head, "\r\n")
	headers := slices.DeleteFunc(slices.Clone(all[1:]), func(line string) bool {
		return strings.HasPrefix(line, "Host: ") || strings.HasPrefix(line, "Connection: ")
	})
	slices.Sort(headers)
	return slices.Concat(all[:1], headers, []string{"", body})
}

var zipped = func() string {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, strings.Repeat("row;", 100))
	w.Close()
	return packed.String()
}()

// TestBytes: what the service reads is what the client wrote, and the reverse.
func TestBytes(t *testing.T) {
	const post = "POST /1.0/k/export/userbase HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\nContent-Type: application/json\r\nUser-Agent: " +
		"c/1\r\nX-Authorization: secret\r\nConnection: close\r\n\r\n{ \"ids\":[] }"
	get := func(target string, headers ...string) string {
		return "GET " + target + " HTTP/1.1\r\nHost: x\r\n" + strings.Join(append(headers, "Connection: close"), "\r\n") + "\r\n\r\n"
	}
	const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	for name, c := range map[string]struct{ request, answer string }{
		"a creation": {post,
			"HTTP/1.1 202 Accepted\r\nContent-Length: 18\r\nContent-Type: application/json;charset=UTF-8\r\nX-Odd: 1\r\n\r\n{ \"requestId\":1.0}"},
		"no type and no date": {get("/a"), ok},
		"a date and a server": {get("/a"),
			"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nDate: Tue, 01 Jan 2030 00:00:00 GMT\r\nServer: s\r\n\r\nok"},
		"a header twice": {get("/a", "X-A: 1", "X-A: 2"),
			"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\nok"},
		"an odd query":    {get("/a?a=1;b=2&c=%zz&d=%20&e"), ok},
		"an empty query":  {get("/a?"), ok},
		"an escaped path": {get("/a%2Fb%20c/%C3%A9"), ok},
		"no user agent":   {get("/a"), ok},
		"a user agent":    {get("/a", "User-Agent: "+"curl/8"), ok},
		"gzip that was asked for": {get("/a", "Accept-Encoding: gzip"),
			fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(zipped), zipped)},
		"gzip that was not asked for": {get("/a"), fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s",
			len(zipped), zipped)},
		"forwarding headers": {get("/a", "Forwarded: for=1.2.3.4", "X-Forwarded-For: 1.2.3.4"), ok},
		"a range": {get("/a", "Range: bytes=0-1"),
			"HTTP/1.1 206 Partial Content\r\nContent-Length: 2\r\nContent-Range: bytes 0-1/9\r\n\r\nok"},
		"a redirect": {get("/a"),
			"HTTP/1.1 307 Temporary Redirect\r\nContent-Length: 0\r\nLocation: http://elsewhere.example/f?s=%2f\r\n\r\n"},
		"nothing":                {get("/a"), "HTTP/1.1 204 No Content\r\n\r\n"},
		"not modified":           {get("/a", `If-None-Match: "e"`), "HTTP/1.1 304 Not Modified\r\nEtag: \"e\"\r\n\r\n"},
		"a refusal":              {get("/a"), "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\nRetry-After: 9\r\n\r\n{}"},
		"bytes that are no text": {get("/a"), "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Type: text/csv\r\n\r\n\xff\x00\xfe\r"},
		"an authorization":       {get("/a", "Authorization: Bearer t"), ok},
	} {
		t.Run(name, func(t *testing.T) {
			service, received := canned(t, c.answer)
			p := before(t, service)
			if got, want := lines(converse(t, p.URL, c.request)), lines(c.answer); !slices.Equal(got, want) {
				t.Errorf("the client got\n%q, the service sent\n%q", got, want)
			}
			if got, want := lines(received()), lines(c.request); !slices.Equal(got, want) {
				t.Errorf("the service got\n%q, the client sent\n%q", got, want)
			}
		})
	}
}

// TestTrailers: trailers pass both ways, and bodies of no stated length stay so.
func TestTrailers(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", "X-Sum")
		body, _ := io.ReadAll(r.Body)
		w.Write(body)
		w.(http.Flusher).Flush()
		w.Header().Set("X-Sum", fmt.Sprint(r.Trailer.Get("X-Count"), r.ContentLength))
	}))
	t.Cleanup(service.Close)
	p := before(t, service.URL)
	request, _ := http.NewRequest("POST", p.URL, io.MultiReader(strings.NewReader("some text")))
	request.Trailer = http.Header{"X-Count": {"9"}}
	answer := must.Get(http.DefaultClient.Do(request))(t)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if got := answer.Trailer.Get("X-Sum"); string(body) != "some text" || err != nil || got != "9 -1" && got != "9-1" ||
		answer.ContentLength != -1 {
		t.Errorf("got %q with trailer %q, length %d: %v", body, got, answer.ContentLength, err)
	}
}

// TestStreams: the beginning of an answer arrives before its end was made, be it a refusal, and leaving reaches the service.
func TestStreams(t *testing.T) {
	for status, length := range map[int]string{200: "", 503: "", 429: "9", 307: ""} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			more, gone := make(chan struct{}), make(chan struct{})
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if w.Header().Set("Retry-After", "1"); length != "" {
					w.Header().Set("Content-Length", length)
				}
				w.WriteHeader(status)
				w.(http.Flusher).Flush()
				<-more
				io.WriteString(w, "first")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
				close(gone)
			}))
			t.Cleanup(service.Close)
			p := before(t, service.URL, func(o *proxy.Options) {
				if status >= 300 {
					o.Links = func(_, _ string) bool { return true }
				}
			})
			answer := must.Get(http.Get(p.URL))(t)
			close(more)
			first := make([]byte, 5)
			if _, err := io.ReadFull(answer.Body, first); err != nil || string(first) != "first" || answer.StatusCode != status {
				t.Fatalf("got %d %q, %v", answer.StatusCode, first, err)
			}
			answer.Body.Close()
			<-gone
			p.end()
			if len(p.seen) != 1 || !p.seen[0].Broken || p.seen[0].Fault != "" || p.seen[0].Received.Body.Size() != 5 {
				t.Errorf("saw %+v; a client that left is no fault of the service", p.seen[0])
			}
		})
	}
}

// TestBrokenService: what the service breaks off is broken off for the client too, and told.
func TestBrokenService(t *testing.T) {
	service, _ := canned(t, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
	p := before(t, service)
	answer := must.Get(http.Get(p.URL))(t)
	if body, err := io.ReadAll(answer.Body); err == nil || string(body) != "half" {
		t.Errorf("got %q and no error", body)
	}
	p.end()
	if x := p.seen[0]; !x.Broken || !strings.Contains(x.Fault, "broke") || x.Received.Body.Size() != 4 {
		t.Errorf("saw %+v with %d bytes", x, x.Received.Body.Size())
	}

	silent := before(t, "http://127.0.0.1:1")
	answer = must.Get(http.Get(silent.URL))(t)
	must.Equal(t, answer.StatusCode, http.StatusBadGateway, "without a service")
	silent.end()
	if x := silent.seen[0]; x.Status != 0 || x.Fault == "" {
		t.Errorf("saw %+v", x)
	}
}

// TestTLS: both sides, with HTTP/2 before the proxy.
func TestTLS(t *testing.T) {
	service := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	t.Cleanup(service.Close)
	plain := before(t, service.URL, func(o *proxy.Options) {
		o.Transport = proxy.Transport(&http.Transport{TLSClientConfig: service.Client().Transport.(*http.Transport).TLSClientConfig.Clone()})
	})
	front := httptest.NewUnstartedServer(plain.Config.Handler)
	front.EnableHTTP2 = true
	front.StartTLS()
	t.Cleanup(front.Close)
	answer := must.Get(front.Client().Get(front.URL))(t)
	defer answer.Body.Close()
	if body, _ := io.ReadAll(answer.Body); answer.ProtoMajor != 2 || string(body) != "HTTP/1.1" || answer.TLS == nil ||
		answer.TLS.Version < tls.VersionTLS12 {
		t.Errorf("got %s over %s", body, answer.Proto)
	}
}

// TestLargeBodies: memory does not grow with a body.
func TestLargeBodies(t *testing.T) {
	const size = 300 << 20
	block := bytes.Repeat([]byte("0123456789abcde\n"), 4096)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range size / len(block) {
			w.Write(block)
		}
	}))
	t.Cleanup(service.Close)
	p := before(t, service.URL)
	var start, now runtime.MemStats
	runtime.ReadMemStats(&start)
	answer := must.Get(http.Get(p.URL))(t)
	n, err := io.Copy(io.Discard, answer.Body)
	runtime.ReadMemStats(&now)
	if n != size || err != nil {
		t.Errorf("got %d bytes, %v", n, err)
	}
	if grown := int64(now.TotalAlloc) - int64(start.TotalAlloc); grown > 32<<20 {
		t.Errorf("%d bytes were allocated for a body of %d", grown, size)
	}
	p.end()
	x := p.seen[0]
	if x.Received.Body.Size() != size || !x.Received.Body.Whole() {
		t.Errorf("kept %d bytes", x.Received.Body.Size())
	}
	x.Received.Body.Discard()
}

// TestLinks: links of a lookup lead through the proxy. Those to another origin have an address of its own under another name of
// this machine, by which neither credentials nor cookies go on, whatever the client sends.
func TestLinks(t *testing.T) {
	var service *httptest.Server
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session=theirs")
		if r.URL.Path == "/back" {
			http.Redirect(w, r, service.URL+"/x", http.StatusFound)
			return
		}
		for _, name := range []string{"Authorization", "X-Authorization", "X-Service-Project", "Cookie", "Proxy-Authorization", "Referer"} {
			if r.Header.Get(name) != "" {
				fmt.Fprintf(w, "%s of the service came along, ", name)
			}
		}
		io.WriteString(w, r.Header.Get("Accept")+" of "+r.Host+r.RequestURI)
	}))
	t.Cleanup(store.Close)
	service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/status":
			fmt.Fprintf(w, `{"a":"%s\/x?s=%%2F&t","b": "%s/f/1.csv?sig=a%%2Bb", "n":1.0}`, strings.ReplaceAll(service.URL, "/", `\/`), store.URL)
		case "/redirect":
			http.Redirect(w, r, store.URL+"/f", http.StatusTemporaryRedirect)
		default:
			io.WriteString(w, "own "+r.RequestURI)
		}
	}))
	t.Cleanup(service.Close)
	p := before(t, service.URL, func(o *proxy.Options) { o.Links = func(_, path string) bool { return path == "/status" } })
	get := func(address string) (int, string, *http.Response) {
		t.Helper()
		request, _ := http.NewRequest("GET", address, nil)
		for _, name := range []string{"Authorization", "X-Authorization", "X-Service-Project", "Cookie", "Proxy-Authorization", "Referer", "Accept"} {
			request.Header.Set(name, "mine")
		}
		answer := must.Get(http.DefaultTransport.RoundTrip(request))(t)
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(body), answer
	}
	_, body, _ := get(p.URL + "/status")
	own, away, _ := strings.Cut(body, `","b": "`)
	away, _, _ = strings.Cut(away, `"`)
	if own != fmt.Sprintf(`{"a":"%s/x?s=%%2F&t`, p.URL) || !strings.HasPrefix(away, "http://localhost:") ||
		!strings.HasSuffix(away, "/f/1.csv?sig=a%2Bb") {
		t.Fatalf("got %s", body)
	}
	host := strings.TrimPrefix(store.URL, "http://")
	if _, body, answer := get(away); body != "mine of "+host+"/f/1.csv?sig=a%2Bb" || answer.Header.Get("Set-Cookie") != "" {
		t.Errorf("got %s %v", body, answer.Header)
	}
	_, _, redirect := get(p.URL + "/redirect")
	must.Equal(t, redirect.Header.Get("Location"), strings.TrimSuffix(away, "/1.csv?sig=a%2Bb"), "the redirect leads to")
	_, _, back := get(strings.TrimSuffix(away, "/f/1.csv?sig=a%2Bb") + "/back")
	must.Equal(t, back.Header.Get("Location"), p.URL+"/x", "the way back leads to")
	if status, body, _ := get(p.URL + "/_elsewhere/http/" + host + "/f"); status != http.StatusOK ||
		body != "own /_elsewhere/http/"+host+"/f" {
		t.Errorf("a path of the service led to another origin: %d %s", status, body)
	}
	p.end()
	for _, x := range p.seen {
		if away := x.To.Origin == store.URL; x.To.SameHost == away || away && len(x.Sent.Header["Authorization"]) == 0 {
			t.Errorf("what the client would have sent without a proxy is not noted: %+v %v", x.To, x.Sent.Header)
		}
	}
}

// TestRedirects: a Location leads where it would without the proxy, behind the token and without the path of the service. Whole
// addresses are left alone unless links are rewritten.
func TestRedirects(t *testing.T) {
	const token, theirs, past = "/_token/T", "HERE", "" // HERE is another origin's address at the proxy, "" the Location as it came
	for _, c := range []struct {
		about, token, base string
		links              bool
		location, want     string // S is the service, P the proxy
	}{
		{"no prefix", "", "", true, "/x?a=%2F", past},
		{"a token", token, "", false, "/x?a=%2F#f", "P/_token/T/x?a=%2F#f"},
		{"a token and rewritten links", token, "", true, "/x", "P/_token/T/x"},
		{"a sibling", token, "", false, "x", "P/_token/T/a/x"},
		{"a query", token, "", false, "?x", "P/_token/T/a/b?x"},
		{"a base", "", "/base", false, "/base/x", "P/x"},
		{"a token and a base", token, "/base/", false, "/base/x", "P/_token/T/x"},
		{"beside the base", token, "/base", true, "/basement", "S/basement"},
		{"the base alone", "", "/base", false, "/base#f", "P#f"},
		{"a whole address", token, "", false, "S/x", past},
		{"a rewritten address", token, "", true, "S/x", "P/_token/T/x"},
		{"a host without a scheme", token, "", true, "//127.0.0.1:1/x", theirs + "/_token/T/x"},
		{"the same, no token", "", "", true, "//127.0.0.1:1/x", theirs + "/x"},
		{"no address of HTTP", token, "", true, "mailto:a@b", past},
	} {
		t.Run(c.about, func(t *testing.T) {
			var location string
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", location)
				w.WriteHeader(http.StatusTemporaryRedirect)
			}))
			t.Cleanup(service.Close)
			location = strings.Replace(c.location, "S", service.URL, 1)
			p := before(t, service.URL+c.base, func(o *proxy.Options) {
				o.TokenPath = c.token
				if c.links {
					o.Links = func(_, _ string) bool { return false }
				}
			})
			answer := must.Get(http.DefaultTransport.RoundTrip(httptest.NewRequest("GET", p.URL+"/a/b", nil)))(t)
			answer.Body.Close()
			want := cmp.Or(strings.NewReplacer("S", service.URL, "P", p.URL).Replace(c.want), location)
			got := answer.Header.Get("Location")
			if path, is := strings.CutPrefix(want, "HERE"); is {
				if !strings.HasPrefix(got, "http://localhost:") || !strings.HasSuffix(got, path) {
					t.Errorf("got %s, want a port of localhost with %s", got, path)
				}
			} else if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestReferer: the service gets the Referer of a client, unless it has the token of the proxy.
func TestReferer(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%q", r.Header["Referer"]) }))
	t.Cleanup(service.Close)
	p := before(t, service.URL, func(o *proxy.Options) { o.TokenPath = "/_token/T" })
	for sent, want := range map[string]string{
		"https://app.example/": `["https://app.example/"]`, p.URL + "/_token/T/docs": "[]", "http://127.0.0.1:1/_token/T": "[]",
	} {
		request := httptest.NewRequest("GET", p.URL, nil)
		request.Header.Set("Referer", sent)
		answer := must.Get(http.DefaultTransport.RoundTrip(request))(t)
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		must.Equal(t, string(body), want, "the Referer that the service gets of %s", sent)
	}
}

// TestOriginsAreTriedAgain: an origin without an address is told once, and gets one when there is one.
func TestOriginsAreTriedAgain(t *testing.T) {
	service, received := canned(t, "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://elsewhere.example/f\r\n\r\n")
	var told bytes.Buffer
	tries := 0
	p := before(t, service, func(o *proxy.Options) {
		o.Links, o.Log = func(_, _ string) bool { return false }, slog.New(slog.NewTextHandler(&told, nil))
		o.Foreign.Listen = func(http.Handler) (string, error) {
			if tries++; tries < 3 {
				return "", errors.New("no port is free")
			}
			return "1", nil
		}
	})
	for i, want := range []string{"http://elsewhere.example/f", "http://elsewhere.example/f", "http://localhost:1/f", "http://localhost:1/f"} {
		answer := must.Get(http.DefaultTransport.RoundTrip(httptest.NewRequest("GET", p.URL, nil)))(t)
		answer.Body.Close()
		received()
		must.Equal(t, answer.Header.Get("Location"), want, "answer %d leads to", i)
	}
	p.end()
	if count := strings.Count(told.String(), "no port is free"); count != 1 || tries != 3 {
		t.Errorf("told %d times after %d tries: %s", count, tries, &told)
	}
}

// TestLateEnd: a request that ends after the proxy was closed gets its answer.
func TestLateEnd(t *testing.T) {
	var p *stand
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.end()
		io.WriteString(w, "late")
	}))
	t.Cleanup(service.Close)
	p = before(t, service.URL)
	answer := httptest.NewRecorder()
	p.Config.Handler.ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
	if answer.Body.String() != "late" || len(p.seen) != 0 {
		t.Errorf("got %q, saw %d", answer.Body, len(p.seen))
	}
}

// TestNoTunnels: a client that takes the proxy for a forward proxy is told what to do, and nothing reaches the service.
func TestNoTunnels(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the service was asked") }))
	t.Cleanup(service.Close)
	p := before(t, service.URL, func(*proxy.Options) {})
	connection := must.Get(net.Dial("tcp", strings.TrimPrefix(p.URL, "http://")))(t)
	defer connection.Close()
	fmt.Fprint(connection, "CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n")
	answer := must.Get(http.ReadResponse(bufio.NewReader(connection), nil))(t)
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusNotImplemented ||
		!strings.Contains(string(text), "instead of HTTPS_PROXY") {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
}
