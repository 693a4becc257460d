package openapi

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// header is a header of an answer, and whether it is always there.
type header struct {
	name   string
	always bool
}

// headerText says what a header of an answer is for.
var headerText = map[string]string{
	"Accept-Ranges":           "bytes: ranges of the file can be asked for; none for a compressed one.",
	"Allow":                   "The methods of the path, when it was asked with another one.",
	"Cache-Control":           "How long the answer may be kept; no-store for everything that moves.",
	"Content-Disposition":     "The name under which to save the file.",
	"Content-Encoding":        "gzip, when the server compresses such answers and the client takes it.",
	"Content-Length":          "The length of the body in bytes.",
	"Content-Range":           "Which bytes of how many these are.",
	"Content-Security-Policy": "What the page may do: load nothing from elsewhere.",
	"ETag":                    "The entity tag: the same for the same bytes.",
	"Last-Modified":           "When it was made.",
	"Location": "Where the export is looked up, after its creation; a fresh link to the file, which works for %s, " +
		"after a redirect.",
	"Referrer-Policy":        "no-referrer: the address of the page goes nowhere.",
	"Retry-After":            "How many seconds to wait before the next try, or its date.",
	"Vary":                   "Accept-Encoding, when the server compresses such answers.",
	"WWW-Authenticate":       "Which credential is asked for.",
	"X-Content-Type-Options": "nosniff: the media type is meant.",
	"X-Request-Id":           "The name of the request, in the journal and the log as well.",
}

// headerPattern is what the value of a header looks like, where that is worth saying.
var headerPattern = map[string]string{
	"Content-Length": "^[0-9]+$", "Retry-After": "^(?:[0-9]+|[A-Z][a-z]{2}, [0-9].* GMT)$",
	"Content-Range": "^bytes (?:[0-9]+-[0-9]+|[*])/[0-9]+$",
	"ETag":          `^(?:W/)?".*"$`, "WWW-Authenticate": "^Bearer ", "Location": "^https?://",
	"Content-Disposition": "^attachment; filename=",
}

// kindOf is what the specification calls a header.
func (d *builder) kindOf(name string) string {
	for _, its := range d.dialect {
		if name == its.Headers.RetryAfter {
			return "Retry-After"
		}
	}
	return name
}

// challenges is what the header WWW-Authenticate looks like: the control token
// is asked for as Bearer, those of interfaces by their own words.
func (d *builder) challenges() string {
	words := []string{"Bearer"}
	for _, its := range d.dialect {
		if its.KeyVariable == "" && its.Headers.Scheme != "" && !slices.Contains(words, its.Headers.Scheme) {
			words = append(words, its.Headers.Scheme)
		}
	}
	if len(words) == 1 {
		return headerPattern["WWW-Authenticate"]
	}
	return "^(?:" + strings.Join(words, "|") + ") "
}

// lifetimes are how long links work, in words.
func (d *builder) lifetimes() string {
	var words []string
	for _, its := range d.dialect {
		if lifetime := its.Files.LinkLifetime.String(); !slices.Contains(words, lifetime) {
			words = append(words, lifetime)
		}
	}
	return strings.Join(words, " or ")
}

// alwaysSent are the headers of every answer.
func alwaysSent() []header {
	return []header{{"X-Request-Id", true}, {"Cache-Control", true}, {"X-Content-Type-Options", true}}
}

// answered are the headers that interfaces add to all answers; to those of files, the interface of the export does.
func (d *builder) answered(route *httpd.Route) (sent []header) {
	asked := exports.Dialect{route.Interface}
	if route.InterfaceOf != nil {
		asked = d.dialect
	}
	for _, its := range asked {
		for _, name := range slices.Sorted(maps.Keys(its.Headers.Answers)) {
			sent = append(sent, header{name, route.InterfaceOf == nil})
		}
	}
	return sent
}

// incidental are the headers that a client of the service has no use for: a
// generated one would carry lines for each of them on every answer.
var incidental = map[string]bool{"X-Request-Id": true, "Cache-Control": true, "X-Content-Type-Options": true, "Content-Length": true,
	"Content-Encoding": true, "Vary": true, "Accept-Ranges": true}

// answer describes an answer, yet without its body.
func (d *builder) answer(description string, sent []header) object {
	made := object{{"description", description}}
	if headers := d.headers(sent); len(headers) > 0 {
		made.set("headers", headers)
	}
	return made
}

// headers describes headers of an answer, as components that answers share.
func (d *builder) headers(sent []header) object {
	made := object{}
	for _, h := range sent {
		if d.client && incidental[h.name] {
			continue
		}
		name := componentName(h.name, "")
		if h.always {
			name += "Always"
		}
		if !d.has("headers", name) {
			schema := object{{"type", "string"}}
			kind := d.kindOf(h.name)
			if pattern := headerPattern[kind]; pattern != "" && kind != "WWW-Authenticate" {
				schema.set("pattern", pattern)
			} else if pattern != "" {
				schema.set("pattern", d.challenges())
			}
			text := strings.ReplaceAll(headerText[kind], "%s", d.lifetimes())
			for _, its := range d.dialect {
				if value, adds := its.Headers.Answers[h.name]; adds {
					text = strings.TrimSpace(text + " The mock of " + its.Name + " sends " + value + ".")
				}
			}
			d.component("headers", name, object{{"description", text}, {"required", h.always},
				{"schema", schema}})
		}
		made.set(h.name, object{{"$ref", "#/components/headers/" + name}})
	}
	return made
}

// responses describes every answer of a route.
func (d *builder) responses(route *httpd.Route) (object, error) {
	made := object{}
	success, err := d.success(route)
	if err != nil {
		return nil, err
	}
	made.set(strconv.Itoa(route.Status), success)
	if route.Validators {
		if err := d.fileResponses(route, &made); err != nil {
			return nil, err
		}
	}
	return made, d.refusalResponses(route, &made)
}

// success describes the answer of a route when all goes well.
func (d *builder) success(route *httpd.Route) (object, error) {
	sent := append(alwaysSent(), d.answered(route)...)
	if route.Status != http.StatusNoContent && !route.Validators && !route.Stream {
		sent = append(sent, header{"Content-Length", true})
	}
	if route.Stage == exports.StageDownload || route.Creates() && route.Response != "" {
		sent = append(sent, header{"Location", true})
	}
	if isPage(route) {
		sent = append(sent, header{"Content-Security-Policy", true}, header{"Referrer-Policy", true})
	}
	if route.Validators && route.Status == http.StatusOK {
		sent = append(sent, fileHeaders(route)...)
	}
	made := d.answer(d.successText(route), sent)
	if route.Status != http.StatusNoContent {
		content, err := d.content(route)
		if err != nil {
			return nil, err
		}
		made.set("content", content)
	}
	if links := linksOf(route, d.routes); len(links) > 0 {
		made.set("links", links)
	}
	return made, nil
}

func isPage(route *httpd.Route) bool {
	return len(route.ResponseMedia) == 1 && strings.HasPrefix(route.ResponseMedia[0], "text/html")
}

func (d *builder) successText(route *httpd.Route) string {
	switch {
	case route.Creates() && route.Response == "":
		return "The file."
	case len(route.Exports) > 0:
		return "The export was accepted. Its identifier is there to look it up with."
	case route.Credential == httpd.SignedLink:
		return "The whole file."
	case route.Response != "":
		if schema, err := d.bundle.refer(route.Response); err == nil {
			if text := d.resolve(schema).text("description"); text != "" {
				return text
			}
		}
	case route.Status == http.StatusNoContent:
		return "Done."
	}
	return strings.TrimSuffix(route.Summary, ".") + "."
}

// content describes the body of an answer.
func (d *builder) content(route *httpd.Route) (object, error) {
	made := object{}
	switch {
	case route.Credential == httpd.SignedLink:
		return d.files(d.library.Exports())
	case route.Creates() && route.Response == "":
		return d.files(route.Exports)
	case route.Response != "":
		schema, err := d.bundle.refer(route.Response)
		if err != nil {
			return nil, err
		}
		examples, err := d.answers(route.Response)
		if err != nil {
			return nil, err
		}
		described := object{{"schema", schema}}
		addExamples(&described, examples)
		made.set(mediaJSON, described)
	default:
		for _, media := range route.ResponseMedia {
			schema := object{{"type", "string"}}
			if media == mediaJSON || strings.HasSuffix(media, "+json") {
				schema = object{{"type", "object"}}
			}
			made.set(plainMedia(media), object{{"schema", schema}})
		}
	}
	return made, nil
}
