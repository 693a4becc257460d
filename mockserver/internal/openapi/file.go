package openapi

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// fileHeaders are those of an answer that has an entity tag and ranges. Pages
// that a server may make anew for every answer have not all of them.
func fileHeaders(route *httpd.Route) []header {
	export := route.Credential == httpd.SignedLink
	// All of them may go compressed to clients that take it so, and then without a length.
	sent := []header{{"ETag", true}, {"Accept-Ranges", true}, {"Last-Modified", export}, {"Content-Length", false}}
	if export {
		sent = append(sent, header{"Content-Disposition", true})
	}
	return append(sent, header{"Content-Encoding", false}, header{"Vary", false})
}

// fileResponses are the further answers of a route whose answer has an entity tag and ranges.
func (d *builder) fileResponses(route *httpd.Route, responses *object) error {
	sent := slices.Concat(alwaysSent(), d.answered(route), fileHeaders(route))
	if isPage(route) {
		sent = append(sent, header{"Content-Security-Policy", true}, header{"Referrer-Policy", true})
	}
	if route.Status == http.StatusNoContent { // an icon, where the page has one
		made := d.answer("The icon of the web page, where it has one.", append(sent, header{"Content-Security-Policy", true},
			header{"Referrer-Policy", true}))
		content := object{}
		for _, media := range route.ResponseMedia {
			content.set(media, object{})
		}
		made.set("content", content)
		responses.set(strconv.Itoa(http.StatusOK), made)
	}
	ranged := slices.Clone(sent)
	partial := d.answer("The range of the file that the header Range asked for; several ranges come as multipart/byteranges.", append(ranged,
		header{"Content-Range", false}))
	content, err := d.content(route)
	if err != nil {
		return err
	}
	made := object{}
	for _, m := range content { // a piece of a file fits no schema
		made.set(m.name, object{})
	}
	made.set("multipart/byteranges", object{})
	partial.set("content", made)
	responses.set(strconv.Itoa(http.StatusPartialContent), partial)
	var kept []header
	for _, h := range sent {
		if h.name != "Content-Length" && h.name != "Content-Encoding" {
			kept = append(kept, header{h.name, h.always && h.name != "Accept-Ranges" && h.name != "Last-Modified"})
		}
	}
	responses.set(strconv.Itoa(http.StatusNotModified), d.answer("The client has the file already, as If-None-Match or If-Modified-Since say.",
		kept))
	return nil
}

// files describes the bodies of files: rows of CSV, each of the kinds, or one of the JSON arrays.
func (d *builder) files(of []schemas.Export) (object, error) {
	formats := map[string]bool{}
	for _, export := range of {
		formats[exports.MediaTypeOf(export)] = true
	}
	made := object{}
	add := func(media string, schema object) error {
		examples, err := d.fileExamples(media, of)
		described := object{{"schema", schema}}
		addExamples(&described, examples)
		made.set(media, described)
		return err
	}
	if formats[mediaCSV] {
		if err := add(mediaCSV, object{
			{"type", "string"}, {"contentMediaType", mediaCSV},
			{"description",
				"CSV with a header. A row, read as an object of strings by column name, fits the schema that x-exports of its creation names."},
		}); err != nil {
			return nil, err
		}
	}
	for _, media := range slices.Sorted(maps.Keys(formats)) {
		if !slices.Contains([]string{mediaCSV, mediaLines, mediaJSON}, media) {
			made.set(media, object{{"schema", object{{"contentMediaType", media},
				{"description", "A file, in a container perhaps. Unpacked, it fits the schema that x-exports of its creation names."}}}})
		}
	}
	if formats[mediaLines] {
		if err := add(mediaLines, object{
			{"type", "string"}, {"contentMediaType", mediaLines},
			{"description", "One JSON object a line. All of them, as an array, fit the schema that x-exports of its creation names."},
		}); err != nil {
			return nil, err
		}
	}
	if formats[mediaJSON] {
		if err := add(mediaJSON, object{
			{"type", "array"}, {"items", object{{"type", "object"}}},
			{"description", "The file fits the schema that x-exports of its creation names."},
		}); err != nil {
			return nil, err
		}
	}
	return made, nil
}
