package server_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// finished is a server with a finished export of either interface.
func finished(t *testing.T, path, body string) (*harness, string) {
	s := newServer(t)
	return s, s.create(path, body, "progress=now")
}

// TestLinksLiveTwentyMinutes moves the clock over the life of a link.
func TestLinksLiveTwentyMinutes(t *testing.T) {
	for _, k := range []kind{kinds[7], kinds[8]} {
		t.Run(k.name, func(t *testing.T) {
			s, id := finished(t, k.path, k.body)
			link := s.links(id)[0]
			if other := s.links(id)[0]; other == link {
				t.Error("a second lookup gives the same link")
			}
			s.clock.Set(noon.Add(20*time.Minute - time.Nanosecond))
			s.answers("just before the end", s.get(link), 200)
			s.clock.Set(noon.Add(20 * time.Minute))
			a := s.get(link)
			s.refused(a, 403, "LINK_EXPIRED", "20 minutes", "2026-03-15T12:20:00Z")
			s.answers("a new link", s.get(s.links(id)[0]), 200)
			s.clock.Set(noon)
			s.answers("after the clock was set back", s.get(link), 200)
			s.clock.Set(noon.Add(-time.Second))
			s.refused(s.get(link), 404, "ROUTE_NOT_FOUND", "set back")
		})
	}
}

// TestFilesLiveOneMonth: past the month every genuine link answers 410.
func TestFilesLiveOneMonth(t *testing.T) {
	for _, k := range []kind{kinds[7], kinds[8]} {
		t.Run(k.name, func(t *testing.T) {
			s, id := finished(t, k.path, k.body)
			old := s.links(id)[0]
			end := time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC)
			s.clock.Set(end.Add(-time.Second))
			late := s.links(id)[0]
			s.answers("just before the end", s.get(late), 200)
			s.clock.Set(end)
			for _, link := range []string{old, late} {
				s.refused(s.get(link), 410, "FILE_EXPIRED", "one month", "2026-04-15T12:00:00Z")
			}
		})
	}
}

// TestForgedLinks alters the parts of a link, and asks without the record.
func TestForgedLinks(t *testing.T) {
	s, id := finished(t, userbasePath, userbaseBody)
	link := s.links(id)[0]
	path, query, _ := strings.Cut(link, "?")
	forged := []string{path, path + "?", "/files/anything.csv?" + query, "/files/" + id + ".2.csv?" + query,
		"/files/" + id + ".1.json?" + query, link + "0", link[:len(link)-1]} // package links tries all other changes of the query
	for _, link := range forged {
		s.refused(s.get(link), 403, "LINK_INVALID")
		s.answers("HEAD "+link, s.do(call{method: "HEAD", path: link, header: http.Header{}}), 403)
	}
	s.answers("the good link", s.get(link), 200)
	other := newServer(t) // with the same secret, but without the record
	other.refused(other.get(link), 404, "ROUTE_NOT_FOUND")
	s.refused(s.do(call{method: "GET", path: link, header: http.Header{}, scenario: "error=LINK_EXPIRED"}), 403, "LINK_EXPIRED", "forced")
}

// TestDownloadsSpeakHTTP checks ranges, validators and headers.
func TestDownloadsSpeakHTTP(t *testing.T) {
	for _, k := range []kind{kinds[7], kinds[9]} {
		t.Run(k.name, func(t *testing.T) {
			s, id := finished(t, k.path, k.body)
			link := s.links(id)[0]
			whole := s.get(link)
			size, etag := len(whole.text), whole.Header.Get("ETag")
			for name, want := range map[string]string{
				"Content-Length": strconv.Itoa(size), "Accept-Ranges": "bytes", "Last-Modified": "Sun, 15 Mar 2026 12:00:00 GMT",
				"Content-Disposition": `attachment; filename="` + k.name,
			} {
				if got := whole.Header.Get(name); !strings.HasPrefix(got, want) {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			must.Hold(t, len(etag) >= 10 && strings.HasPrefix(etag, `"`), "ETag is %s", etag)
			for _, c := range []struct {
				about    string
				header   []string
				status   int
				from, to int
			}{
				{"first bytes", []string{"Range", "bytes=0-9"}, 206, 0, 10},
				{"the middle", []string{"Range", "bytes=100-299"}, 206, 100, 300},
				{"the end", []string{"Range", "bytes=-50"}, 206, size - 50, size},
				{"from there on", []string{"Range", "bytes=500-"}, 206, 500, size},
				{"beyond the end", []string{"Range", "bytes=" + strconv.Itoa(size) + "-"}, 416, 0, 0},
				{"not bytes", []string{"Range", "lines=1-2"}, 200, 0, size},
				{"not bytes, and no range", []string{"Range", "lines"}, 200, 0, size},
				{"bytes in capitals", []string{"Range", "Bytes=0-9"}, 206, 0, 10},
				{"to beyond the end", []string{"Range", "bytes=500-99999999999999999999999"}, 206, 500, size},
				{"to right beyond the end", []string{"Range", "bytes=500-" + strconv.Itoa(size)}, 206, 500, size},
				{"more than there is from the end", []string{"Range", "bytes=-99999999999999999999999"}, 206, 0, size},
				{"nothing from the end", []string{"Range", "bytes=-0"}, 416, 0, 0},
				{"nothing from the end, in many digits", []string{"Range", "bytes=-0000000000000000000000"}, 416, 0, 0},
				{"nothing from the end, and something", []string{"Range", "bytes=-0,10-19"}, 206, 10, 20},
				{"nothing from the end of another file", []string{"Range", "bytes=-0", "If-Range", `"x"`}, 200, 0, size},
				{"far beyond the end", []string{"Range", "bytes=99999999999999999999999-"}, 416, 0, 0},
				{"backwards", []string{"Range", "bytes=20-10"}, 416, 0, 0},
				{"negative", []string{"Range", "bytes=--5"}, 416, 0, 0},
				{"no numbers", []string{"Range", "bytes=a-b"}, 416, 0, 0},
				{"resumed", []string{"Range", "bytes=10-19", "If-Range", etag}, 206, 10, 20},
				{"resumed, another file", []string{"Range", "bytes=10-19", "If-Range", `"x"`}, 200, 0, size},
				{"not modified", []string{"If-None-Match", etag}, 304, 0, 0},
				{"precondition", []string{"If-Match", `"x"`}, 412, 0, 0},
			} {
				a := s.get(link, c.header...)
				if a.StatusCode != c.status {
					t.Errorf("%s: %d, want %d", c.about, a.StatusCode, c.status)
				} else if c.status < 300 && a.text != whole.text[c.from:c.to] {
					t.Errorf("%s: other bytes", c.about)
				}
			}
			for _, asked := range []string{"bytes=" + strconv.Itoa(size) + "-", "bytes=99999999-99999999", "bytes=-0"} {
				a := s.get(link, "Range", asked)
				s.refused(a, 416, "RANGE_NOT_SATISFIABLE", asked, strconv.Itoa(size)+" bytes")
				must.Equal(t, a.Header.Get("Content-Range"), "bytes */"+strconv.Itoa(size), "%s: Content-Range", asked)
				checkRefusalHeaders(t, a)
			}
			for _, condition := range [][]string{{"If-Match", `"x"`}, {"If-Unmodified-Since", "Sun, 15 Mar 2026 11:59:59 GMT"}} {
				a := s.get(link, condition[0], condition[1])
				s.refused(a, 412, "PRECONDITION_FAILED", etag, "Sun, 15 Mar 2026 12:00:00 GMT")
				checkRefusalHeaders(t, a)
			}
			s.answers("HEAD with a condition", s.do(call{method: "HEAD", path: link, header: http.Header{"If-Match": {`"x"`}}}), 412)
			s.answers("two ranges", s.get(link, "Range", "bytes=0-9,100-119"), 206, whole.text[100:120])
			head := s.do(call{method: "HEAD", path: link, header: http.Header{}})
			if head.StatusCode != 200 || head.Header.Get("Content-Length") != strconv.Itoa(size) || head.Header.Get("ETag") != etag {
				t.Errorf("HEAD: %d %v", head.StatusCode, head.Header)
			}
			again := s.get(s.links(s.create(k.path, k.body, "progress=now"))[0])
			if again.text != whole.text || again.Header.Get("ETag") != etag {
				t.Error("the same request makes another file")
			}
		})
	}
}

// checkRefusalHeaders: a refusal has nothing left of the file it refuses.
func checkRefusalHeaders(t *testing.T, a answer) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Content-Length": strconv.Itoa(len(a.text)), "Cache-Control": "no-store",
		"X-Content-Type-Options": "nosniff",
		"Content-Disposition":    "", "ETag": "", "Last-Modified": "", "Accept-Ranges": "", "Content-Encoding": "",
	} {
		must.Equal(t, a.Header.Get(name), want, "%d: %s", a.StatusCode, name)
	}
}

// TestForwardedAuthorization: a link takes one credential, and says so when it is told to be strict.
func TestForwardedAuthorization(t *testing.T) {
	for _, k := range []kind{kinds[7], kinds[8]} {
		t.Run(k.name, func(t *testing.T) {
			lenient, id := finished(t, k.path, k.body)
			link := lenient.links(id)[0]
			lenient.answers("refused without being told to", lenient.do(call{method: "GET", path: link, header: profilesHeader()}), 200)
			s := newServer(t, func(config *mockserver.Options) { config.RefuseAuthorization = true })
			link = s.links(s.create(k.path, k.body, "progress=now"))[0] // with credentials, which the API goes on to take
			for _, name := range []string{"Authorization", "X-Authorization"} {
				for _, value := range []string{"Bearer token_demo", "rest_demo", ""} {
					s.refused(s.get(link, name, value), 400, "AUTHORIZATION_FORWARDED", "the header "+name, "redirect")
				}
				s.refused(s.get(link+"0", name, "x"), 400, "AUTHORIZATION_FORWARDED") // before the signature is looked at
				s.answers("HEAD with "+name, s.do(call{method: "HEAD", path: link, header: http.Header{name: {"x"}}}), 400)
			}
			s.answers("other headers", s.get(link, "X-Service-Project", "project_demo", "Cookie", "a=b"), 200)
			s.refused(s.get(link+"0"), 403, "LINK_INVALID")
		})
	}
}

// TestLinksCarryTheAddress checks where links point to.
func TestLinksCarryTheAddress(t *testing.T) {
	for _, c := range []struct {
		host, public, want string
	}{
		{"mock.test", "", "http://mock.test/files/"},
		{"localhost:8080", "", "http://localhost:8080/files/"},
		{"[::1]:8080", "", "http://[::1]:8080/files/"},
		{`x"><script>`, "", "http://localhost/files/"},
		{"", "", "http://localhost/files/"},
		{"a.b:80$(id)", "", "http://localhost/files/"},
		{"mock.test", "https://exports.example/", "https://exports.example/files/"},
	} {
		s := newServer(t, func(config *mockserver.Options) { config.PublicURL = c.public })
		id := s.create(userbasePath, userbaseBody, "progress=now")
		r := httptest.NewRequest("GET", statusPath+id, nil)
		r.Header, r.Host = legacyHeader(), c.host
		if link, _ := s.send(r).body["file_url"].(string); !strings.HasPrefix(link, c.want) {
			t.Errorf("host %q: link %q, want %q", c.host, link, c.want)
		}
	}
}

// TestManyReadersOfOneFile downloads one file at the same time, over real connections, while the state is looked up.
func TestManyReadersOfOneFile(t *testing.T) {
	s, id := finished(t, kinds[9].path, kinds[9].body)
	want := s.get(s.links(id)[0]).text
	listener := httptest.NewServer(s.service)
	defer listener.Close()
	var links []string
	for range 8 {
		links = append(links, s.links(s.create(kinds[9].path, kinds[9].body, "progress=now"))[0])
	}
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			response, err := http.Get(listener.URL + links[i%len(links)])
			if err != nil {
				t.Error(err)
				return
			}
			defer response.Body.Close()
			data, err := io.ReadAll(response.Body)
			if err != nil || string(data) != want {
				t.Errorf("reader %d: %d bytes, %v", i, len(data), err)
			}
		})
	}
	group.Wait()
}

// TestLinkHabits: links of a dialect have the habits of object stores that the dialect names, and no others.
func TestLinkHabits(t *testing.T) {
	const file = "legacy/interface.json"
	embedded := must.Get(schemas.Embedded())(t)
	for habit, c := range map[string]struct {
		method, more    string
		without, status int
		says            string
	}{
		"get-only":    {"HEAD", "", 200, 403, ""},
		"exact-query": {"GET", "&utm=x", 200, 403, "the parameter utm was not signed"},
		"credentials": {"GET", "", 200, 401, "the link needs the header X-Authorization"},
		"xml-errors":  {"GET", "0", 403, 403, "<Error><Code>LINK_INVALID</Code><Message>"},
	} {
		for habits, status := range map[string]int{`["` + habit + `"]`: c.status, `[]`: c.without} {
			t.Run(habit+" "+habits, func(t *testing.T) {
				overlay := fstest.MapFS{file: {Data: bytes.Replace(embedded.Source(file), []byte(`"linkLifetime"`),
					[]byte(`"linkHabits": `+habits+`, "linkLifetime"`), 1)}}
				s := newServer(t, withOverlay(t, overlay))
				id := s.create(userbasePath, userbaseBody, "progress=now")
				link := s.links(id)[0]
				answer := httptest.NewRecorder()
				s.service.ServeHTTP(answer, httptest.NewRequest(c.method, "http://mock.test"+link+c.more, nil))
				body := answer.Body.String()
				if answer.Code != status || c.says != "" && strings.Contains(body, c.says) != (habits != "[]") {
					t.Errorf("got %d %s", answer.Code, body)
				}
				if noted := s.do(call{method: "GET", path: "/_mock/journal?route=file"}).text; !strings.Contains(noted, `"export":"`+id+`"`) {
					t.Errorf("the journal does not say of which export the link is: %s", noted)
				}
			})
		}
	}
}

// TestLinkLifetimeIsOfTheSchemas: what a file of an interface says of its links holds for links, refusals and sentences.
func TestLinkLifetimeIsOfTheSchemas(t *testing.T) {
	const file = "legacy/interface.json"
	embedded := must.Get(schemas.Embedded())(t)
	overlay := fstest.MapFS{file: {Data: bytes.Replace(embedded.Source(file), []byte(`"PT20M"`), []byte(`"PT30M"`), 1)}}
	for about, c := range map[string]struct {
		change                 func(*mockserver.Options)
		works, ends            string
		legacy, other, foreign string
	}{
		"the specification": {func(*mockserver.Options) {}, "19m59s", "1s", "20 minutes", "20 minutes", "30 minutes"},
		"an overlay":        {withOverlay(t, overlay), "29m59s", "1s", "30 minutes", "30 minutes or 20 minutes", "than 20 minutes"},
	} {
		t.Run(about, func(t *testing.T) {
			s := newServer(t, c.change)
			library := s.library
			link := s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0]
			s.setClock(`{"advance":"` + c.works + `"}`)
			s.answers("after "+c.works, s.get(link), 200)
			s.setClock(`{"advance":"` + c.ends + `"}`)
			s.refused(s.get(link), 403, "LINK_EXPIRED", "the link worked for "+c.legacy)
			for _, name := range []string{"legacy/error.json", "legacy/export.record.json"} {
				if text := string(library.Source(name)); !strings.Contains(text, c.legacy) || strings.Contains(text, c.foreign) {
					t.Errorf("%s does not say %s", name, c.legacy)
				}
			}
			if text := string(library.Source("profiles/error.json")); !strings.Contains(text, "20 minutes") {
				t.Error("the other interface has other links")
			}
			document, err := s.service.OpenAPINamed("full", pages.DocumentBase)
			if err != nil || !bytes.Contains(document, []byte("a link that works for "+c.other+".")) {
				t.Errorf("the API document does not say %s: %v", c.other, err)
			}
		})
	}
}

// TestLinkIsOfTheRecord: interfaces that share names of files refuse each in its own words, in every order of their names.
func TestLinkIsOfTheRecord(t *testing.T) {
	const contacts = "../../../examples/services/contacts/contacts"
	for _, name := range []string{"contacts", "surveys"} {
		t.Run(name, func(t *testing.T) {
			overlay := fstest.MapFS{}
			for _, entry := range must.Get(os.ReadDir(contacts))(t) {
				text := must.Get(os.ReadFile(filepath.Join(contacts, entry.Name())))(t)
				text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("contacts"), []byte(name)), []byte("PT1H"), []byte("PT5M"))
				overlay[name+"/"+entry.Name()] = &fstest.MapFile{Data: text}
			}
			s := newServer(t, withOverlay(t, overlay))
			ask := func(method, address, body string) *httptest.ResponseRecorder {
				r := httptest.NewRequest(method, address, strings.NewReader(body))
				r.Header.Set("Authorization", "Bearer token_demo")
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("X-Mock-Scenario", "progress=now")
				answer := httptest.NewRecorder()
				s.service.ServeHTTP(answer, r)
				return answer
			}
			var made struct{ ID string }
			must.Do(t, json.Unmarshal(ask("POST", "/v3/"+name+"/exports", "{}").Body.Bytes(), &made))
			var record struct{ URLs []string }
			must.Do(t, json.Unmarshal(ask("GET", "/v3/"+name+"/exports/"+made.ID, "").Body.Bytes(), &record))
			link := record.URLs[0]
			legacy := s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0]
			if got := ask("GET", link, ""); got.Code != 200 {
				t.Errorf("at once: %d %s", got.Code, got.Body)
			}
			s.setClock(`{"advance":"5m1s"}`)
			var refusal struct{ Error struct{ ID, Message string } }
			got := ask("GET", link, "")
			if err := json.Unmarshal(got.Body.Bytes(), &refusal); err != nil || got.Code != 403 || refusal.Error.ID != "LINK_EXPIRED" ||
				!strings.Contains(refusal.Error.Message, "the link worked for 5 minutes,") {
				t.Errorf("after the lifetime: %d %s", got.Code, got.Body)
			}
			ask("GET", link, "")
			lints := s.do(call{method: "GET", path: "/_mock/lints"}).text
			if !strings.Contains(lints, "a link works for 5 minutes, and a file is kept for 3 days") {
				t.Errorf("the lints do not say the numbers of the interface: %s", lints)
			}
			s.answers("the other interface", s.get(legacy), 200)
			s.setClock(`{"advance":"20m"}`)
			s.refused(s.get(legacy), 403, "LINK_EXPIRED", "the link worked for 20 minutes")
		})
	}
}
