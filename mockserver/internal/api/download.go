package api

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/links"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// filesPath is where links point to.
const filesPath = "/files/"

// fileName is the last path segment of a link: the export, the part and the
// format.
func (s *Service) fileName(record *exports.Record, part int) string {
	return record.ID + "." + strconv.Itoa(part) + "." + s.formats[record.Kind]
}

// parseFileName undoes fileName.
func parseFileName(name string) (id string, part int, ok bool) {
	stem := strings.TrimSuffix(name, path.Ext(name))
	id, number, found := strings.Cut(stem, ".")
	part, err := strconv.Atoi(number)
	return id, part, found && err == nil
}

// link makes a new link to a file.
func (s *Service) link(r *request, name string) string {
	return s.baseURL(r.Request) + filesPath + name + "?" + s.links.Sign(name, r.now.Add(links.Lifetime))
}

// file sends a generated file. The signature in the link is the credential.
func (s *Service) file(r *request) (response, error) {
	if s.refuseAuthorization {
		if refusal := noAuthorization(r.Header); refusal != nil {
			return response{}, refusal
		}
	}
	name := r.variables["name"]
	id, part, ok := parseFileName(name)
	record, missing := s.export(r, id)
	if missing == nil {
		r.decision.export = id
		r.entry.Kind = record.Kind
		r.entry.SetKey(record.Owner)
	}
	var expired *links.ErrExpired
	err := s.links.Verify(name, r.URL.Query(), r.now)
	if err != nil && !errors.As(err, &expired) {
		return response{}, refuse(LinkInvalid, "the link was not made by this server, or was altered; look the export up for a good one")
	}
	if !ok {
		return response{}, fmt.Errorf("a link was signed for a file with the name %q", name)
	}
	r.entry.Part = max(part, 0)
	if errors.Is(missing, store.ErrNotFound) {
		return response{}, refuse(RouteNotFound, "the export of this link is not known here; its state may have been reset")
	}
	if missing != nil {
		return response{}, missing
	}
	state := s.stateOf(record, r.now)
	switch {
	case state.FileExpired: // whatever the link says, there is no newer one
		return response{}, refuse(FileExpired, "the file was kept for one month, until %s; request the export again", state.FileExpiresAt.UTC().Format(time.RFC3339))
	case expired != nil:
		return response{}, refuse(LinkExpired, "the link worked for 20 minutes, until %s; look the export up for a new one", expired.At.UTC().Format(time.RFC3339))
	case state.Status == exports.Failed:
		return response{}, refuse(RouteNotFound, "the export has no file: %s", state.ErrorMessage)
	case state.Status != exports.Success:
		return response{}, refuse(RouteNotFound, "the export is %s and has no file; the clock may have been set back", state.Status)
	}
	switch record.Link {
	case exports.LinkNone, exports.LinkMissing:
		return response{}, refuse(RouteNotFound, "the file is not there although its export is %s, as the scenario of the export asked for (link=%s)", exports.Success, record.Link).asForced()
	case exports.LinkGone:
		return response{}, refuse(FileExpired, "the file is gone although its month is not over, as the scenario of the export asked for (link=%s)", record.Link).asForced()
	}
	file, err := s.files.open(r.Context(), record)
	if err != nil {
		return response{}, fmt.Errorf("laying out the file of export %s: %w", id, err)
	}
	parts := file.Parts()
	if part < 1 || part > len(parts) {
		return response{}, refuse(RouteNotFound, "the file has no part %d; it has %d", part, len(parts))
	}
	reader, err := file.Open(part)
	if err != nil {
		return response{}, fmt.Errorf("opening the file of export %s: %w", id, err)
	}
	answer := response{
		status:      http.StatusOK,
		contentType: file.ContentType(),
		headers: map[string]string{
			"ETag":                parts[part-1].ETag,
			"Content-Disposition": fmt.Sprintf("attachment; filename=%q", downloadName(file.Name(), part, len(parts))),
		},
		content: &content{reader: reader, size: parts[part-1].Size, modified: *state.CompletedAt},
	}
	if s.gzip {
		answer.headers["Vary"] = "Accept-Encoding"
		answer.content.gzip, answer.content.turn = acceptsGzip(r.Header), s.files.renderer.Turn
	}
	return answer, nil
}

// noAuthorization refuses credentials on a link, as object stores do: a client
// that keeps its headers when it follows the redirect to a file gives them to
// whoever holds the file.
func noAuthorization(header http.Header) *Error {
	for _, name := range []string{"Authorization", "X-Authorization"} {
		if len(header[name]) > 0 {
			return refuse(AuthorizationForwarded, "the request carries the header %s, and the link is signed: a file takes one credential, not two; "+
				"do not send the header on when a redirect leads to a file, nor with a file_url", name)
		}
	}
	return nil
}

// downloadName is the name under which a browser saves a part.
func downloadName(name string, part, parts int) string {
	if parts == 1 {
		return name
	}
	extension := path.Ext(name)
	return strings.TrimSuffix(name, extension) + "-" + strconv.Itoa(part) + extension
}
