package server_test

import (
	"cmp"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

const wasm = "\x00asm\x01\x00\x00\x00"

// builtPage is what a build of a web page leaves behind.
func builtPage() fstest.MapFS {
	page := fstest.MapFS{}
	for name, text := range map[string]string{
		"index.html": "<!doctype html><title>the page</title>", "robots.txt": "User-agent: *", "noext": "x",
		"assets/index-B1x3kL9_.js": "export {}", "assets/index-B1x3kL9_.css": "p{}", "assets/actions-9f8e7d6c.wasm": wasm,
		"assets/data-00000000.json": "{}", "assets/ICON-00000000.SVG": "<svg/>", "assets/module-00000000.mjs": "export {}",
		"guide/index.html": "<!doctype html><title>the documents</title>", "guide/how-to/index.html": "<!doctype html>",
		"guide/assets/app.DlGcA1yE.js": "export {}", "guide/assets/how-to_x.md.CuLtZ_5-.lean.js": "export {}",
		"guide/assets/chunks/theme.Bx0-9aZq.js": "export {}",
		"guide/assets/highlight.css":            "p{}", "guide/hashmap.json": "{}",
		".env": "secret", "assets/.hidden/x.js": "secret", "deep/er/file.html": "deep",
		"_mock/clock": "a file is no route", "1.0/live_demo/export/userbase": "a file is no route",
	} {
		page[name] = &fstest.MapFile{Data: []byte(text), ModTime: noon.Add(-time.Hour)}
	}
	return page
}

func withWeb(files fs.FS) func(*mockserver.Options) {
	return func(config *mockserver.Options) { config.Web = files }
}

// TestViewerOfTheDocument sends the page of the API document under its route and
// by its name, with a policy of its own: its viewer writes styles, nothing more.
func TestViewerOfTheDocument(t *testing.T) {
	page := builtPage()
	s := newServer(t, withWeb(page))
	if list := s.get("/docs"); !strings.Contains(list.text, "<code>/1.0/{api_key}/export/userbase</code>") {
		t.Errorf("without a viewer in the page: %s", list.text)
	}
	page["docs.html"] = &fstest.MapFile{Data: []byte("<!doctype html><title>the viewer</title>"), ModTime: noon}
	for _, path := range []string{"/docs", "/docs.html"} {
		a := s.get(path)
		policy := a.Header.Get("Content-Security-Policy")
		if a.text != string(page["docs.html"].Data) || a.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.text)
		}
		if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';") ||
			strings.Contains(policy, "unsafe-eval") || strings.Contains(policy, "*") {
			t.Errorf("%s: Content-Security-Policy is %q", path, policy)
		}
	}
}

// TestFrameOfHandlers sends the frame in which the page runs what a person writes with a policy of its own: no origin, no network, no
// code but the server's and workers made of text, and only the page may show it.
func TestFrameOfHandlers(t *testing.T) {
	page := builtPage()
	page["handler.html"] = &fstest.MapFile{Data: []byte("<!doctype html><title>handlers</title>"), ModTime: noon}
	s := newServer(t, withWeb(page))
	const want = "default-src 'none'; script-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
	must.Equal(t, s.get("/handler.html").Header.Get("Content-Security-Policy"), want, "Content-Security-Policy")
}

// TestWebFiles has one row for every kind of file: its type, and how long it may be kept.
func TestWebFiles(t *testing.T) {
	const always, once = "no-cache", "public, max-age=31536000, immutable"
	page := builtPage()
	s := newServer(t, withWeb(page))
	for _, c := range []struct{ path, name, mediaType, caching string }{
		{"/", "index.html", "text/html; charset=utf-8", always},
		{"/?x=1", "index.html", "text/html; charset=utf-8", always},
		{"/index.html", "index.html", "text/html; charset=utf-8", always},
		{"/robots.txt", "robots.txt", "text/plain; charset=utf-8", always},
		{"/guide/", "guide/index.html", "text/html; charset=utf-8", always},
		{"/guide/how-to/", "guide/how-to/index.html", "text/html; charset=utf-8", always},
		{"/deep/er/file.html", "deep/er/file.html", "text/html; charset=utf-8", always},
		{"/noext", "noext", "application/octet-stream", always},
		{"/assets/index-B1x3kL9_.js", "assets/index-B1x3kL9_.js", "text/javascript; charset=utf-8", once},
		{"/assets/index-B1x3kL9_.css", "assets/index-B1x3kL9_.css", "text/css; charset=utf-8", once},
		{"/assets/actions-9f8e7d6c.wasm", "assets/actions-9f8e7d6c.wasm", "application/wasm", once},
		{"/assets/data-00000000.json", "assets/data-00000000.json", "application/json", once},
		{"/assets/ICON-00000000.SVG", "assets/ICON-00000000.SVG", "image/svg+xml", once},
		{"/guide/assets/app.DlGcA1yE.js", "guide/assets/app.DlGcA1yE.js", "text/javascript; charset=utf-8", once},
		{"/guide/assets/how-to_x.md.CuLtZ_5-.lean.js", "guide/assets/how-to_x.md.CuLtZ_5-.lean.js", "text/javascript; charset=utf-8", once},
		{"/guide/assets/chunks/theme.Bx0-9aZq.js", "guide/assets/chunks/theme.Bx0-9aZq.js", "text/javascript; charset=utf-8", once},
		{"/guide/assets/highlight.css", "guide/assets/highlight.css", "text/css; charset=utf-8", always},
		{"/guide/hashmap.json", "guide/hashmap.json", "application/json", always},
		{"/assets/module-00000000.mjs", "assets/module-00000000.mjs", "text/javascript; charset=utf-8", once},
	} {
		a := s.get(c.path)
		if a.StatusCode != http.StatusOK || a.text != string(page[c.name].Data) {
			t.Errorf("%s: %d %s", c.path, a.StatusCode, a.text)
			continue
		}
		for name, want := range map[string]string{"Content-Type": c.mediaType, "Cache-Control": c.caching, "X-Content-Type-Options": "nosniff"} {
			must.Equal(t, a.Header.Get(name), want, "%s: %s", c.path, name)
		}
		policy := a.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';") ||
			strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "'unsafe-eval'") || strings.Contains(policy, "*") {
			t.Errorf("%s: Content-Security-Policy is %q", c.path, policy)
		}
		again := s.get(c.path, "If-None-Match", a.Header.Get("ETag"))
		must.Hold(t, again.StatusCode == http.StatusNotModified && again.text == "", "%s, once more: %d", c.path, again.StatusCode)
		head := s.do(call{method: "HEAD", path: c.path, header: http.Header{}})
		if head.StatusCode != http.StatusOK || head.Header.Get("ETag") != a.Header.Get("ETag") || head.Header.Get("Content-Length") == "" {
			t.Errorf("HEAD %s: %d %v", c.path, head.StatusCode, head.Header)
		}
	}
}

// TestWebFolder: the name of a folder with an index leads to the index, so that relative links in it lead on.
func TestWebFolder(t *testing.T) {
	s := newServer(t, withWeb(builtPage()))
	for path, want := range map[string]string{"/guide": "guide/", "/guide/how-to": "how-to/"} {
		if a := s.get(path); a.StatusCode != http.StatusPermanentRedirect || a.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", path, a.StatusCode, a.Header.Get("Location"), want)
		}
	}
}

// TestWebCompressed: a file that is there compressed alone is sent so to clients that
// take it, and expanded to the others, under its own name and type.
func TestWebCompressed(t *testing.T) {
	page := builtPage()
	texts := map[string]string{
		"index.html": "<!doctype html><title>the page</title>", "guide/index.html": "<!doctype html><title>the documents</title>",
		"assets/actions-9f8e7d6c.wasm": wasm, "docs.html": "<!doctype html><title>the viewer</title>",
	}
	for name, text := range texts {
		delete(page, name)
		page[name+".gz"] = &fstest.MapFile{Data: []byte(zipped(text)), ModTime: noon}
	}
	s := newServer(t, withWeb(page))
	for _, c := range []struct{ path, name, mediaType, caching string }{
		{"/", "index.html", "text/html; charset=utf-8", "no-cache"},
		{"/index.html", "index.html", "text/html; charset=utf-8", "no-cache"},
		{"/docs", "docs.html", "text/html; charset=utf-8", "no-cache"},
		{"/guide/", "guide/index.html", "text/html; charset=utf-8", "no-cache"},
		{"/assets/actions-9f8e7d6c.wasm", "assets/actions-9f8e7d6c.wasm", "application/wasm", "public, max-age=31536000, immutable"},
	} {
		packed, plain := string(page[c.name+".gz"].Data), texts[c.name]
		tags := map[string]string{}
		for _, sent := range []struct{ accepted, coding, text string }{
			{"br, gzip", "gzip", packed}, {"*", "gzip", packed}, {"gzip;q=0", "", plain}, {"identity", "", plain}, {"br", "", plain},
			{"", "", plain},
		} {
			for _, method := range []string{"GET", "HEAD"} {
				header := http.Header{}
				if sent.accepted != "" {
					header.Set("Accept-Encoding", sent.accepted)
				}
				a, text := s.do(call{method: method, path: c.path, header: header}), sent.text
				if method == "HEAD" {
					text = ""
				}
				if a.StatusCode != http.StatusOK || a.text != text {
					t.Errorf("%s %s as %q: %d %q, want %q", method, c.path, sent.accepted, a.StatusCode, a.text, text)
				}
				length := strconv.Itoa(len(sent.text))
				if sent.coding != "" {
					length = ""
				}
				for name, want := range map[string]string{
					"Content-Encoding": sent.coding, "Vary": "Accept-Encoding", "Content-Type": c.mediaType, "Cache-Control": c.caching,
					"Content-Length": length,
				} {
					must.Equal(t, a.Header.Get(name), want, "%s %s as %q: %s", method, c.path, sent.accepted, name)
				}
				tag := a.Header.Get("ETag")
				if known := tags[sent.coding]; tag == "" || known != "" && known != tag {
					t.Errorf("%s %s as %q: the entity tag is %q, and it was %q", method, c.path, sent.accepted, tag, known)
				}
				tags[sent.coding] = tag
			}
			if a := s.get(c.path, "Accept-Encoding", cmp.Or(sent.accepted, "identity"), "If-None-Match", tags[sent.coding]); a.StatusCode != http.StatusNotModified {
				t.Errorf("%s as %q, once more: %d", c.path, sent.accepted, a.StatusCode)
			}
		}
		must.Hold(t, tags[""] != tags["gzip"], "%s: both forms have one entity tag", c.path)
		if a := s.get(c.path, "Accept-Encoding", "gzip", "Range", "bytes=1-3"); a.StatusCode != http.StatusPartialContent ||
			a.text != plain[1:4] || a.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s, a part: %d %q %v", c.path, a.StatusCode, a.text, a.Header)
		}
	}
	if a := s.get("/guide"); a.StatusCode != http.StatusPermanentRedirect || a.Header.Get("Location") != "guide/" {
		t.Errorf("/guide: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	if a := s.get("/robots.txt", "Accept-Encoding", "gzip"); a.Header.Get("Content-Encoding") != "" || a.Header.Get("Vary") != "" {
		t.Errorf("a file that is not compressed: %v", a.Header)
	}
}

// TestWebNeedsNoRestart: a page that is built again is served at once.
func TestWebNeedsNoRestart(t *testing.T) {
	page := builtPage()
	s := newServer(t, withWeb(page))
	tag := s.get("/").Header.Get("ETag")
	page["index.html"] = &fstest.MapFile{Data: []byte("another"), ModTime: page["index.html"].ModTime} // a build without dates
	page["assets/new-00000000.js"] = &fstest.MapFile{Data: []byte("export {}")}
	if a := s.get("/", "If-None-Match", tag); a.StatusCode != 200 || a.text != "another" {
		t.Errorf("the page: %d %s", a.StatusCode, a.text)
	}
	s.answers("a new file", s.get("/assets/new-00000000.js"), 200)
	delete(page, "index.html")
	s.refused(s.get("/"), 404, "ROUTE_NOT_FOUND", "index.html")
}

// TestWebShowsNothingElse: no folders, nothing hidden, nothing outside, and no route is covered by a file.
func TestWebShowsNothingElse(t *testing.T) {
	s := newServer(t, withWeb(builtPage()))
	for _, path := range []string{
		"/assets", "/assets/", "/deep", "/deep/er", "/nothing", "/assets/nothing.js", "/INDEX.HTML", "//index.html", "/./index.html",
		"/assets/../index.html", "/assets/%2e%2e/index.html", "/..%2findex.html", "/../index.html", "/.env", "/%2eenv", "/assets/.hidden/x.js",
		"/index.html/", "/index.html%00", "/assets%5cindex-B1x3kL9_.js",
	} {
		a := s.get(path)
		s.refused(a, 404, "ROUTE_NOT_FOUND")
		if a.Header.Get("Cache-Control") != "no-store" || strings.Contains(a.text, "secret") {
			t.Errorf("%s: %v %s", path, a.Header, a.text)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		for _, path := range []string{"/", "/index.html", "/assets/index-B1x3kL9_.js"} {
			a := s.do(call{method: method, path: path, header: http.Header{}})
			s.refused(a, 404, "ROUTE_NOT_FOUND", method)
			must.Equal(t, a.Header.Get("Allow"), "GET, HEAD", "%s %s: Allow", method, path)
		}
	}
	if a := s.do(call{method: "GET", path: "/_mock/clock"}); a.body["now"] == nil {
		t.Errorf("the clock: %s", a.text)
	}
	s.answers("an export", s.do(call{path: userbasePath, body: userbaseBody}), http.StatusAccepted)
	s.refused(s.get("/index.html", "Range", "bytes=9999-"), 416, "RANGE_NOT_SATISFIABLE", "38 bytes")
}

// TestWebIcon: the icon of the page, where it has one.
func TestWebIcon(t *testing.T) {
	page := builtPage()
	s := newServer(t, withWeb(page))
	s.answers("without an icon", s.get("/favicon.ico"), http.StatusNoContent)
	page["favicon.ico"] = &fstest.MapFile{Data: []byte("icon")}
	if a := s.get("/favicon.ico"); a.StatusCode != 200 || a.Header.Get("Content-Type") != "image/x-icon" || a.text != "icon" {
		t.Errorf("with an icon: %d %v", a.StatusCode, a.Header)
	}
}

// TestWebIsAwaited: while a build is to bring the page or the documents, a page says
// so and asks again; what a build has put in place is served without a restart.
func TestWebIsAwaited(t *testing.T) {
	page := fstest.MapFS{}
	s := newServer(t, withWeb(page))
	awaited := func(path, here, missing string) {
		t.Helper()
		a := s.get(path)
		if a.StatusCode != http.StatusOK || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", path, a.StatusCode, a.Header)
		}
		if here != "" && !strings.Contains(a.text, here) || !strings.Contains(a.text, missing) ||
			!strings.Contains(a.text, `<meta http-equiv="refresh" content="2">`) {
			t.Errorf("%s: %s", path, a.text)
		}
		if policy := a.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none';") ||
			strings.Contains(policy, "-src 'self'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: Content-Security-Policy is %q", path, policy)
		}
		if head := s.do(call{method: "HEAD", path: path, header: http.Header{}}); head.StatusCode != a.StatusCode || head.text != "" {
			t.Errorf("HEAD %s: %d %q", path, head.StatusCode, head.text)
		}
	}
	for _, path := range []string{"/", "/index.html", "/guide", "/guide/", "/guide/how-to/", "/guide/how-to/x.html", "/guide/how-to/x"} {
		awaited(path, "", ">/</a>: being built")
	}
	for _, path := range []string{"/assets/x.js", "/guide/assets/x.js", "/other.html", "/guides/", "/guide/.hidden"} {
		s.refused(s.get(path), 404, "ROUTE_NOT_FOUND")
	}
	if list := s.get("/docs"); !strings.Contains(list.text, "<code>/1.0/{api_key}/export/userbase</code>") {
		t.Errorf("the routes: %s", list.text)
	}
	page["index.html"] = &fstest.MapFile{Data: []byte("the page"), ModTime: noon}
	if a := s.get("/"); a.StatusCode != http.StatusOK || a.text != "the page" {
		t.Errorf("the page that was built: %d %s", a.StatusCode, a.text)
	}
	s.refused(s.get("/guide/"), 404, "ROUTE_NOT_FOUND") // a page without documents
	page["guide"] = &fstest.MapFile{Mode: fs.ModeDir, ModTime: noon}
	awaited("/guide/", "<strong>is there</strong>", "/guide/</a>: being built")
	page["guide/index.html"] = &fstest.MapFile{Data: []byte("the documents"), ModTime: noon}
	if a := s.get("/guide/"); a.StatusCode != http.StatusOK || a.text != "the documents" {
		t.Errorf("the documents that were built: %d %s", a.StatusCode, a.text)
	}
	s.refused(s.get("/guide/how-to/x"), 404, "ROUTE_NOT_FOUND")
}

// TestNoWebPage: a page that is not there is found at start, not by a visitor.
func TestNoWebPage(t *testing.T) {
	for about, files := range map[string]fs.FS{
		"no index": fstest.MapFS{"page.html": {}}, "a folder": fstest.MapFS{"index.html/x": {}},
	} {
		_, err := mockserver.New(mockserver.Options{StartAt: noon, Profiles: 1, Web: files})
		must.Hold(t, err != nil && strings.Contains(err.Error(), "index.html"), "%s: %v", about, err)
	}
}
