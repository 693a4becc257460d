package drift

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"maps"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
)

// bodySeed tells bodies apart within one run.
var bodySeed = maphash.MakeSeed()

// usual are headers that any answer may have, whatever an interface says.
var usual = []string{
	"Accept-Ranges", "Age", "Allow", "Alt-Svc", "Cache-Control", "Connection", "Content-Disposition", "Content-Encoding", "Content-Language",
	"Content-Length",
	"Content-Range", "Content-Security-Policy", "Content-Type", "Date", "Etag", "Expires", "Keep-Alive", "Last-Modified", "Link", "Location",
	"Pragma", "Referrer-Policy",
	"Retry-After", "Server", "Server-Timing", "Set-Cookie", "Strict-Transport-Security", "Trailer", "Transfer-Encoding", "Upgrade", "Vary",
	"Via", "Www-Authenticate",
	"X-Content-Type-Options", "X-Frame-Options", "X-Request-Id",
}

// headers holds the headers of an answer of an endpoint against what is known.
func (c *conversation) headers() {
	received := c.x.Received.Header
	for _, name := range slices.Sorted(maps.Keys(received)) {
		if slices.Contains(usual, name) || strings.HasPrefix(name, "Access-Control-") ||
			name == textproto.CanonicalMIMEHeaderKey(c.route.its.Headers.RetryAfter) {
			continue
		}
		c.additional(name)
	}
	if c.x.To.Method != "HEAD" && c.route.stage != stageDownload && !c.sendsFile() {
		c.media(c.everywhere("Content-Type"), "application/json")
	}
	if !c.sendsFile() {
		c.encoding(c.everywhere("Content-Encoding"))
	}
}

// additional finds a header that the interface does not have. Its value has a place in no schema file: the shape of it has.
func (c *conversation) additional(name string) {
	its := c.o.speaks(c.route.its.Name)
	for known := range its.Headers.Answers {
		if strings.EqualFold(known, name) {
			return
		}
	}
	f := Finding{Where: c.everywhere(name), Kind: "additional-header", Severity: Low, Allowed: "no such header",
		Came: shape(header(c.x.Received.Header, name))}
	answers := maps.Clone(its.Headers.Answers)
	if answers == nil {
		answers = map[string]string{}
	}
	answers[name] = f.Came
	// Beside 429 it may be the one that says how long to wait.
	if text, err := json.Marshal(answers); err == nil && memberName(name) == name && c.x.Status != 429 {
		f.Overlay = c.o.put(its.File, "/x-interface/headers", "answers", string(text))
	}
	c.o.found(f)
}

// everywhere is the place of a header: one cause for all endpoints of an interface is one finding.
func (c *conversation) everywhere(name string) Place {
	return Place{Interface: c.route.its.Name, Route: c.route.its.Name, Side: Answer, Pointer: name}
}

// media holds the type of a body against the one that is known.
func (c *conversation) media(where Place, allowed ...string) {
	got, its := media(c.x.Received.Header), c.o.speaks(where.Interface)
	if where.Side == File && its.Files.MediaType != "" {
		allowed = []string{its.Files.MediaType}
	}
	if slices.Contains(allowed, got) {
		return
	}
	f := Finding{Where: where, Kind: "media-type", Severity: Low, Allowed: strings.Join(allowed, " or "), Came: cmp.Or(got, "none")}
	if where.Side == File && its.Files.MediaType == "" {
		f.Overlay = c.o.put(its.File, "/x-interface/files", "mediaType", strconv.Quote(got))
	}
	c.o.found(f)
}

// media is the media type without parameters.
func media(of map[string][]string) string {
	value, _, _ := strings.Cut(header(of, "Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(value))
}

// encoding finds a compression that nobody asked for.
func (c *conversation) encoding(where Place) {
	got := strings.ToLower(header(c.x.Received.Header, "Content-Encoding"))
	asked := strings.ToLower(strings.Join(c.x.Sent.Header["Accept-Encoding"], ","))
	if got != "" && got != "identity" && !strings.Contains(asked, got) && !strings.Contains(asked, "*") {
		c.o.found(Finding{Where: where, Kind: "encoding", Severity: Medium, Allowed: "what Accept-Encoding asks for: " + cmp.Or(asked, "none"),
			Came: got})
	}
}

// credentialsSent finds a request that was let in without the header that carries a credential.
func (c *conversation) credentialsSent() {
	its := c.o.speaks(c.route.its.Name)
	for _, of := range []struct {
		role, name string
		words      []string
		severity   Severity
	}{{"credential", its.Headers.Credential, []string{"auth", "key", "token"}, Critical},
		{"project", its.Headers.Project, []string{"project", "app"}, High}} {
		if of.name == "" || header(c.x.Sent.Header, of.name) != "" {
			continue
		}
		f := Finding{Where: c.where(Request, of.name), Kind: "credential-header", Severity: of.severity, Allowed: "the header " + of.name,
			Came: "a request without it was answered"}
		for _, name := range slices.Sorted(maps.Keys(c.x.Sent.Header)) {
			lower := strings.ToLower(name)
			taken := strings.EqualFold(name, its.Headers.Credential) || strings.EqualFold(name, its.Headers.Project)
			if taken || slices.Contains(usual, name) || !slices.ContainsFunc(of.words,
				func(word string) bool { return strings.Contains(lower, word) }) {
				continue
			}
			if changes := c.o.put(its.File, "/x-interface/headers", of.role, strconv.Quote(name)); changes != nil {
				f.Severity, f.Overlay, f.Came = High, changes, "a request with "+name+" was answered"
				break
			}
		}
		c.o.found(f)
	}
}

// waits notes how long a refusal asks to wait, and finds another header that says so.
func (c *conversation) waits(name string) {
	if value := header(c.x.Received.Header, name); value != "" {
		c.entry.RetryAfter = numberOf(value)
		return
	}
	if c.x.Status != 429 {
		return
	}
	f := Finding{Where: c.where(Answer, name), Kind: "missing-header", Severity: Medium, Allowed: name + " beside 429", Came: "none"}
	for _, other := range slices.Sorted(maps.Keys(c.x.Received.Header)) {
		if lower := strings.ToLower(other); strings.Contains(lower, "retry") || strings.Contains(lower, "reset") {
			f.Came = other
			f.Overlay = c.o.put(c.o.speaks(c.route.its.Name).File, "/x-interface/headers", "retryAfter", strconv.Quote(other))
			c.entry.RetryAfter = numberOf(header(c.x.Received.Header, other))
			break
		}
	}
	c.o.found(f)
}

// ordinal writes a number of requests.
func ordinal(count int) string { return fmt.Sprintf("%d requests", count) }
