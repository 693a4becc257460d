package openapi

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// How much of a file is shown: enough to see its shape.
const (
	shownRows  = 3
	shownItems = 2
	shownBytes = 120
)

// exports makes one export of every kind, looks it up in all its states and
// gets its file.
func (p *player) exports() {
	for _, route := range p.routes {
		for _, export := range route.Exports {
			body, value := p.payload(export.Request)
			q := asked{route: route, body: body}
			got := p.ask(q)
			if got.status != route.Status {
				continue
			}
			p.examples.add(route.Name, 0, "application/json", exampleName(export.Kind), "", value)
			p.keep(q, got, "created", "")
			for _, state := range []struct{ name, summary, scenario string }{
				{"success", "It is finished.", ""},
				{"created", "It has not begun.", "progress=manual"},
				{"error", "It failed.", "outcome=error"},
			} {
				q.scenario = state.scenario
				p.follow(export, p.ask(q), state.name, state.summary)
			}
		}
	}
	for _, name := range []string{"profiles.list"} {
		if route := p.route(name); route != nil {
			q := asked{route: route, query: url.Values{"limit": {"2"}}}
			p.keep(q, p.ask(q), "page", "")
		}
	}
}

// follow looks an export up and, when it is finished, gets its file.
func (p *player) follow(export schemas.Export, created *answered, name, summary string) {
	q, id := asked{}, ""
	switch export.Interface {
	case "legacy":
		id = created.member("requestId")
		q = asked{route: p.route("legacy.status"), path: map[string]string{"request_id": id}}
	default:
		id = created.member("id")
		q = asked{route: p.route("profiles.view"), query: url.Values{"id": {id}}}
	}
	if q.route == nil || id == "" {
		return
	}
	record := p.ask(q)
	p.keep(q, record, name, summary)
	if name != "success" {
		return
	}
	link := record.member("file_url")
	if export.Interface != "legacy" {
		link = p.download(record)
	}
	if link != "" {
		p.file(export, link)
	}
}

// download asks where the first part of a profile export is.
func (p *player) download(record *answered) string {
	body, _ := record.value().(object)
	route := p.route("profiles.download")
	if files := body.list("files"); route != nil && len(files) > 0 {
		first, _ := files[0].(object)
		q := asked{route: route, query: url.Values{"id": {first.text("id")}}}
		got := p.ask(q)
		p.keep(q, got, "part", "")
		return got.header.Get("Location")
	}
	return ""
}

// file keeps the beginning of a file.
func (p *player) file(export schemas.Export, link string) {
	route := p.route("file")
	target, err := url.Parse(link)
	if route == nil || err != nil {
		return
	}
	q := asked{route: route, target: target.RequestURI()}
	got := p.ask(q)
	if got.status != http.StatusOK {
		return
	}
	var shown any = string(got.body)
	if items, is := got.value().([]any); is {
		shown = items[:min(len(items), shownItems)]
	} else if lines := bytes.SplitAfter(got.body, []byte("\n")); len(lines) > shownRows+1 {
		shown = string(bytes.Join(lines[:shownRows+1], nil))
	}
	p.examples.add("file", http.StatusOK, got.media(), exampleName(export.Kind), "The beginning of a file of "+export.Kind+".", shown)
	q.header = [2]string{"Range", "bytes=0-" + strconv.Itoa(shownBytes-1)}
	if got := p.ask(q); got.status == http.StatusPartialContent {
		p.examples.add("file", http.StatusPartialContent, got.media(), "range", "The first bytes.", string(got.body))
	}
}

// exampleName is the name of an example, of letters and digits.
func exampleName(kind string) string {
	words := strings.FieldsFunc(kind, func(char rune) bool { return char == '.' || char == '-' || char == '_' })
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// refusals gives cause to every refusal that a client can cause, and lets
// scenarios force the others.
func (p *player) refusals() {
	for _, stage := range []struct {
		group family
		of    func(*httpd.Route) bool
	}{
		{family{"Legacy", []string{legacyErrors}}, func(r *httpd.Route) bool { return r.Interface == "legacy" && len(r.Exports) > 0 }},
		{family{"Profile", []string{profilesErrors}}, func(r *httpd.Route) bool { return r.Interface == "profiles" && len(r.Exports) > 0 }},
		{family{"File", []string{legacyErrors}}, func(r *httpd.Route) bool { return r.Credential == httpd.SignedLink }},
	} {
		at := slices.IndexFunc(p.routes, stage.of)
		if at < 0 {
			continue
		}
		route := p.routes[at]
		var good []byte
		if len(route.Exports) > 0 {
			good, _ = p.payload(route.Exports[0].Request)
		}
		for _, branch := range p.library.ErrorBranches(stage.group.schemas[0]) {
			for _, accept := range []string{"", "application/problem+json"} {
				q, caused := p.cause(route, branch.Name, good)
				q.accept = accept
				if !caused {
					q.scenario = "error=" + branch.Name
				}
				p.keepRefusal(stage.group, branch, p.ask(q))
			}
		}
	}
}

// cause is a request that is refused with an error, if there is one without a
// scenario.
func (p *player) cause(route *httpd.Route, name string, good []byte) (asked, bool) {
	q := asked{route: route, body: good}
	creates := len(route.Exports) > 0
	switch {
	case name == exports.AuthenticationInvalid && creates:
		q.bare = true
	case name == exports.APIMisuse && creates:
		q.small = true
		q.path = map[string]string{"api_key": smallApplication}
	case name == exports.MissingParameter && creates:
		q.body = []byte(`{}`)
	case name == exports.MalformedParameter && creates:
		value, _ := parse(good)
		members, _ := value.(object)
		members.set("id", []any{"install_id"})
		q.body = compact(members)
	case name == exports.MalformedJSONBody && creates:
		q.body = good[:len(good)/2]
	case name == exports.RouteNotFound && route.Interface == "legacy":
		return asked{route: p.route("legacy.status")}, p.route("legacy.status") != nil
	case name == exports.RouteNotFound && route.Interface == "profiles":
		return asked{route: p.route("profiles.view"), query: url.Values{"id": {"export_unknown"}}}, p.route("profiles.view") != nil
	case name == exports.LinkInvalid && !creates:
		q.query = url.Values{"signature": {"altered"}}
	default:
		return q, false
	}
	return q, true
}

// keepRefusal notes a refusal, if it is the one that was meant.
func (p *player) keepRefusal(group family, branch schemas.ErrorBranch, got *answered) {
	value := got.value()
	body, _ := value.(object)
	if got.status == branch.Status && slices.Contains([]string{body.text("type"), body.text("error_code"), body.text("name")}, branch.Name) {
		p.examples.add(group.name, got.status, got.media(), branch.Name, "", value)
	}
}

// control asks every route of the control plane once, those that only look
// first: the others change what there is to see.
func (p *player) control() {
	ids := map[string]string{}
	if route := p.route("exports.list"); route != nil {
		q := asked{route: route, query: url.Values{"limit": {"2"}}}
		got := p.ask(q)
		p.keep(q, got, "page", "")
		for _, progress := range []string{"manual", "now"} {
			if id := p.another(progress); id != "" {
				ids[progress] = id
			}
		}
	}
	own := slices.DeleteFunc(slices.Clone(p.routes), func(r *httpd.Route) bool {
		return r.Credential != httpd.Control && !strings.HasPrefix(r.Path, "/_mock/")
	})
	slices.SortStableFunc(own, func(a, b *httpd.Route) int { return order(a) - order(b) })
	scenario := ""
	for _, route := range own {
		q := asked{route: route, path: map[string]string{}, query: url.Values{}}
		switch route.Name {
		case "exports.move":
			q.path["id"] = ids["manual"]
		case "scenarios.delete":
			q.path["id"] = scenario
		case "journal.list", "journal.events":
			q.query.Set("limit", "1")
		case "clock.return":
			q.query.Set("key", demoApplication)
		case "validate":
			q.query.Set("schema", "userbase.request")
		case "metrics":
			continue // it tells of this process
		default:
			q.path["id"] = ids["now"]
		}
		if slices.Contains(exports.Placeholders(route.Path), "kind") {
			delete(q.path, "id")
		}
		p.sendBody(&q)
		got := p.ask(q)
		if route.Name == "scenarios.add" {
			scenario = got.member("id")
		}
		p.keep(q, got, "answer", "")
		p.controlRefusals(q)
	}
}

// sendBody gives a request the body that its route takes, and keeps it as an
// example.
func (p *player) sendBody(q *asked) {
	switch {
	case q.route.Sample != "":
		q.body = []byte(q.route.Sample)
	case q.route.Request != "":
		q.body, _ = p.payload(q.route.Request)
	default:
		return
	}
	q.media = mediaOf(q.route)
	var value any = string(q.body)
	if q.media == "application/json" || q.route.Request != "" {
		value, _ = parse(q.body)
	}
	p.examples.add(q.route.Name, 0, q.media, "example", "", value)
	if q.media == "multipart/form-data" {
		q.body, q.media = form(value)
	}
}

// form writes the members of an object, lists of texts, as a form.
func form(value any) (body []byte, media string) {
	var out bytes.Buffer
	writer := multipart.NewWriter(&out)
	_ = writer.SetBoundary("example") // a good one
	fields, _ := value.(object)
	for _, field := range fields {
		items, _ := field.value.([]any)
		for i, item := range items {
			text, _ := item.(string)
			part, err := writer.CreateFormFile(field.name, "file-"+strconv.Itoa(i+1)+".csv")
			if field.name != "file" {
				part, err = writer.CreateFormField(field.name)
			}
			if err == nil {
				_, _ = part.Write([]byte(text)) // into a buffer
			}
		}
	}
	_ = writer.Close() // the same buffer
	return out.Bytes(), writer.FormDataContentType()
}

// order puts requests that look before those that change something, and those
// that empty something last.
func order(route *httpd.Route) int {
	return slices.Index([]string{"GET", "POST", "PUT", "DELETE"}, route.Method)
}

// another makes one more export, of the first kind.
func (p *player) another(progress string) string {
	for _, route := range p.routes {
		if len(route.Exports) > 0 {
			body, _ := p.payload(route.Exports[0].Request)
			got := p.ask(asked{route: route, body: body, scenario: "progress=" + progress})
			return orElse(got.member("requestId"), got.member("id"))
		}
	}
	return ""
}

// controlRefusals are those of the control plane that are easily caused.
func (p *player) controlRefusals(q asked) {
	group := family{"Control", []string{legacyErrors}}
	causes := map[string]asked{}
	switch q.route.Name {
	case "exports.get":
		unknown := q
		unknown.path = map[string]string{"id": "unknown"}
		causes[exports.RouteNotFound] = unknown
		causes[exports.APIMisuse] = asked{route: q.route, path: q.path, far: true}
	case "exports.move":
		causes[exports.Conflict] = asked{route: q.route, path: map[string]string{"id": p.another("now")}, body: q.body}
		causes[exports.MalformedParameter] = asked{route: q.route, path: q.path, body: []byte(`{"action":"finnish"}`)}
		causes[exports.MissingParameter] = asked{route: q.route, path: q.path, body: []byte(`{}`)}
		causes[exports.MalformedJSONBody] = asked{route: q.route, path: q.path, body: []byte(`{"action"`)}
	}
	for _, branch := range p.library.ErrorBranches(legacyErrors) {
		if cause, is := causes[branch.Name]; is {
			for _, accept := range []string{"", "application/problem+json"} {
				cause.accept = accept
				p.keepRefusal(group, branch, p.ask(cause))
			}
		}
	}
}

// ends lets links and files grow old.
func (p *player) ends() {
	route, status := p.route("file"), p.route("legacy.status")
	id := p.another("now")
	if route == nil || status == nil || id == "" {
		return
	}
	record := p.ask(asked{route: status, path: map[string]string{"request_id": id}})
	target, err := url.Parse(record.member("file_url"))
	if err != nil || record.status != http.StatusOK {
		return
	}
	link := target.RequestURI()
	causes := []struct {
		name    string
		advance time.Duration
		header  [2]string
	}{
		{exports.PreconditionFailed, 0, [2]string{"If-Match", `"another"`}},
		{exports.RangeNotSatisfiable, 0, [2]string{"Range", "bytes=99999999999-"}},
		{exports.LinkExpired, 21 * time.Minute, [2]string{}},
		{exports.FileExpired, 32 * 24 * time.Hour, [2]string{}},
	}
	group := family{"File", []string{legacyErrors}}
	for _, cause := range causes {
		if p.clock.Advance(cause.advance) != nil {
			return
		}
		for _, branch := range p.library.ErrorBranches(legacyErrors) {
			if branch.Name != cause.name {
				continue
			}
			p.examples.forget(group, branch)
			for _, accept := range []string{"", "application/problem+json"} {
				p.keepRefusal(group, branch, p.ask(asked{route: route, target: link, header: cause.header, accept: accept}))
			}
		}
	}
}

// forget drops the refusal that a scenario forced: a real one takes its place.
func (e examples) forget(group family, branch schemas.ErrorBranch) {
	for _, media := range []string{"application/json", "application/problem+json"} {
		key := exampleKey{group.name, branch.Status, media}
		e[key] = slices.DeleteFunc(slices.Clone(e[key]), func(m member) bool { return m.name == branch.Name })
	}
}
