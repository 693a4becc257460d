package collection

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// http writes the requests for editors, in the dialect that the HTTP clients of JetBrains and httpYac share. What a
// request needs of the answer to another one is in a variable that that one sets.
func (d *openAPI) http() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: requests for the editors of JetBrains and for httpYac.\n# Send a creation, then the status below it until there is a file.\n%s\n", d.Info.Title, d.note())
	for _, v := range d.variables() {
		fmt.Fprintf(&b, "@%s = %s\n", v.name, v.value)
	}
	for _, o := range d.creations() {
		names, bodies := o.examples()
		for _, name := range names {
			title := titleOf(o, name, len(names))
			fmt.Fprintf(&b, "\n### %s\n%s %s\n", title, o.method, o.address(""))
			writeHeaders(&b, d.headers(o))
			fmt.Fprintf(&b, "Content-Type: application/json\n\n%s\n\n", bodies[name])
			status, captures := d.follow(o)
			if status == nil {
				continue
			}
			writeSetters(&b, captures)
			fmt.Fprintf(&b, "\n### %s: is it done?\n%s %s\n", title, status.method, status.address(""))
			writeHeaders(&b, d.headers(status))
			next, address, captures := d.file(status)
			if next == nil {
				continue
			}
			b.WriteString("\n")
			writeSetters(&b, captures)
			fmt.Fprintf(&b, "\n### %s: the file\n%s %s\n", title, next.method, address)
			if address != wholeAddress { // a signed link takes no credentials
				writeHeaders(&b, d.headers(next))
			}
		}
	}
	return []byte(b.String())
}

// note says for which day the examples are.
func (d *openAPI) note() string {
	if now := d.present(); now != "" {
		return "# The dates are examples: start the mock with --now " + now + ", or write dates of the last weeks.\n"
	}
	return ""
}

// wholeAddress stands for the address that the answer of a status has.
const wholeAddress = "{{file_url}}"

// file is the operation that gives the file of a status, its address, and what that needs of the answer.
func (d *openAPI) file(status *operation) (next *operation, address string, captures map[string]string) {
	next, pointers := d.follow(status)
	switch {
	case next == nil:
		return nil, "", nil
	case len(pointers) == 0:
		return next, wholeAddress, map[string]string{"file_url": "/file_url"}
	}
	captures = map[string]string{}
	for parameter, pointer := range pointers {
		captures["file_"+parameter] = pointer
	}
	return next, next.address("file_"), captures
}

// writeSetters sets variables from the answer, as JetBrains and httpYac do.
func writeSetters(b *strings.Builder, pointers map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(pointers)) {
		path := strings.ReplaceAll(dotted(pointers[name]), "[", "?.[")
		fmt.Fprintf(b, "> {%% client.global.set(%q, response.body.%s) %%}\n", name, strings.ReplaceAll(path, "].", "]?."))
	}
}

// hurl writes requests that are a test: it waits for each file.
func (d *openAPI) hurl() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: run it with hurl --test, and other values by --variable NAME=VALUE.\n%s#\n# hurl --test", d.Info.Title, d.note())
	for _, v := range d.variables() {
		fmt.Fprintf(&b, " --variable %s=%s", v.name, v.value)
	}
	b.WriteString(" FILE\n")
	for _, o := range d.creations() {
		names, bodies := o.examples()
		for _, name := range names {
			fmt.Fprintf(&b, "\n# %s\n%s %s\n", titleOf(o, name, len(names)), o.method, o.address(""))
			writeHeaders(&b, d.headers(o))
			fmt.Fprintf(&b, "Content-Type: application/json\n%s\nHTTP %s\n", bodies[name], o.success())
			status, captures := d.follow(o)
			if status == nil {
				continue
			}
			writeCaptures(&b, captures)
			fmt.Fprintf(&b, "\n%s %s\n", status.method, status.address(""))
			writeHeaders(&b, d.headers(status))
			next, address, captures := d.file(status)
			if next == nil {
				b.WriteString("HTTP 200\n")
				continue
			}
			b.WriteString("[Options]\nretry: 60\nretry-interval: 500ms\nHTTP 200\n")
			writeCaptures(&b, captures)
			fmt.Fprintf(&b, "\n%s %s\n", next.method, address)
			var credentials []header
			if address != wholeAddress {
				credentials = d.headers(next)
			}
			writeHeaders(&b, credentials)
			b.WriteString("[Options]\nlocation: true\nHTTP 200\n")
		}
	}
	return []byte(b.String())
}

// titleOf says what a request does; of one with several examples, which it is.
func titleOf(o *operation, example string, of int) string {
	if of == 1 {
		return o.Summary
	}
	return o.Summary + " (" + example + ")"
}

func writeHeaders(b *strings.Builder, list []header) {
	for _, h := range list {
		fmt.Fprintf(b, "%s: %s\n", h.name, h.value)
	}
}

func writeCaptures(b *strings.Builder, pointers map[string]string) {
	if len(pointers) == 0 {
		return
	}
	b.WriteString("[Captures]\n")
	for _, name := range slices.Sorted(maps.Keys(pointers)) {
		fmt.Fprintf(b, "%s: jsonpath \"$.%s\"\n", name, dotted(pointers[name]))
	}
}

// dotted is a JSON pointer as a path with dots, and brackets for places in lists.
func dotted(pointer string) string {
	var b strings.Builder
	for i, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		switch {
		case strings.Trim(part, "0123456789") == "":
			fmt.Fprintf(&b, "[%s]", part)
		case i > 0:
			b.WriteString("." + part)
		default:
			b.WriteString(part)
		}
	}
	return b.String()
}
