package exportapi

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/links"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// file sends a generated file. The signature in the link is the credential.
func (a *API) file(r *request) (httpd.Response, error) {
	if a.Downloads.RefuseAuthorization {
		if err := a.noAuthorization(r.Header); err != nil {
			return httpd.Response{}, err
		}
	}
	its, id, _, _ := a.parseFileName(r.Context(), r.Variables["name"])
	err := a.habits(r, its)
	if err != nil {
		_, _ = a.owned(r, its, id) // the refusal is about an export, known or not
	} else {
		var answer httpd.Response
		if answer, err = a.signed(r); err == nil {
			return answer, nil
		}
	}
	if its.Files.Links("xml-errors") {
		err = httpd.AsXML(err)
	}
	return httpd.Response{}, err
}

// habits refuses a request that object stores refuse, as far as the dialect says so.
func (a *API) habits(r *request, its exports.Interface) error {
	if its.Files.Links("get-only") && r.Method != http.MethodGet {
		return exports.Refuse(exports.LinkInvalid, "the link is signed for GET, and the request is %s", r.Method)
	}
	if its.Files.Links("exact-query") {
		for name := range r.URL.Query() {
			if !slices.Contains([]string{links.ParameterExpires, links.ParameterNonce, links.ParameterSignature}, name) {
				return exports.Refuse(exports.LinkInvalid, "the parameter %s was not signed; use the link as the lookup gave it", exports.Shorten(name))
			}
		}
	}
	if its.Files.Links("credentials") && r.Header.Get(its.Headers.Credential) == "" {
		return exports.Refuse(exports.AuthenticationInvalid, "the link needs the header %s, as every request does", its.Headers.Credential)
	}
	return nil
}

// owned is the export of a link, which the journal is told.
func (a *API) owned(r *request, its exports.Interface, id string) (*exports.Record, error) {
	record, err := a.export(r, id)
	if err == nil {
		r.Entry.Export = id
		r.Entry.Kind = record.Kind
		r.Entry.SetKey(record.Owner)
		r.Entry.Redirected = its.Files.Redirects() && a.Downloads.FilesURL == ""
	}
	return record, err
}

// signed sends the file of a link that was signed here.
func (a *API) signed(r *request) (httpd.Response, error) {
	name := r.Variables["name"]
	its, id, part, ok := a.parseFileName(r.Context(), name)
	record, missing := a.owned(r, its, id)
	var expired *links.ErrExpired
	err := a.Live.VerifyLink(name, r.URL.Query(), r.Now)
	if err != nil && !errors.As(err, &expired) {
		return httpd.Response{}, exports.Refuse(exports.LinkInvalid, "%s", links.Explain(r.URL.RawQuery))
	}
	if !ok { // it was signed when files had other names
		return httpd.Response{}, exports.Refuse(exports.LinkInvalid,
			"files do not have names such as %s any more; look the export up for a new link", exports.Shorten(name))
	}
	r.Entry.Part = max(part, 0)
	if errors.Is(missing, store.ErrNotFound) {
		return httpd.Response{}, exports.Refuse(exports.RouteNotFound, "the export of this link is not known here; its state may have been reset")
	}
	if missing != nil {
		return httpd.Response{}, missing
	}
	state := a.Files.State(record, r.Now)
	switch {
	case state.FileExpired: // whatever the link says, there is no newer one
		return httpd.Response{}, fileExpired(its, state)
	case expired != nil:
		return httpd.Response{}, exports.Refuse(exports.LinkExpired, "the link worked for %s, until %s; look the export up for a new one",
			its.Files.LinkLifetime, expired.At.UTC().Format(time.RFC3339))
	}
	return a.sent(r, its, record, state, part)
}

// sent answers with a part of a file.
func (a *API) sent(r *request, its exports.Interface, record *exports.Record, state exports.State, part int) (httpd.Response, error) {
	switch {
	case state.Status == exports.Failed:
		return httpd.Response{}, exports.Refuse(exports.RouteNotFound, "the export has no file: %s", state.ErrorMessage)
	case state.Status != exports.Success:
		return httpd.Response{}, exports.Refuse(exports.RouteNotFound, "the export is %s and has no file; the clock may have been set back",
			state.Name)
	}
	switch record.Link {
	case exports.LinkNone, exports.LinkMissing:
		return httpd.Response{}, exports.RefuseForced(exports.RouteNotFound,
			"the file is not there although its export is %s, as the scenario of the export asked for (link=%s)", its.States.Done(), record.Link)
	case exports.LinkGone:
		return httpd.Response{}, exports.RefuseForced(exports.FileExpired,
			"the file is gone before its time, as the scenario of the export asked for (link=%s)", record.Link)
	}
	parts, err := a.Files.Parts(r.Context(), record)
	if err != nil {
		return httpd.Response{}, fmt.Errorf("writing the file of export %s: %w", record.ID, err)
	}
	if part < 1 || part > len(parts) {
		return httpd.Response{}, exports.Refuse(exports.RouteNotFound, "the file has no part %d; it has %d", part, len(parts))
	}
	r.Entry.Part = part
	tag := parts[part-1].ETag
	reader := a.Files.Later(r.Context(), record, parts[part-1])
	if r.Method != http.MethodHead && !strings.Contains(r.Header.Get("If-None-Match"), tag) {
		reader, err = a.Files.Read(r.Context(), record, part)
	}
	if err != nil {
		return httpd.Response{}, fmt.Errorf("opening the file of export %s: %w", record.ID, err)
	}
	content := &httpd.Content{Reader: reader, Size: parts[part-1].Size, Modified: *state.CompletedAt}
	return a.fileAnswer(r, a.Files.ContentType(record), tag, a.Files.SavedName(record, part, len(parts)), content), nil
}

// fileExpired refuses a file that is gone.
func fileExpired(its exports.Interface, state exports.State) error {
	return exports.Refuse(exports.FileExpired, "the file was kept for %s, until %s; request the export again",
		its.Files.Lifetime, state.FileExpiresAt.UTC().Format(time.RFC3339))
}

func (a *API) fileAnswer(r *request, contentType, tag, name string, content *httpd.Content) httpd.Response {
	answer := httpd.Response{
		Status:      http.StatusOK,
		ContentType: contentType,
		Headers:     map[string]string{"ETag": tag, "Content-Disposition": fmt.Sprintf("attachment; filename=%q", name)},
		Content:     content,
	}
	if packed := contentType == "application/gzip" || contentType == "application/zip"; a.Downloads.Gzip && !packed {
		answer.Headers["Vary"] = "Accept-Encoding"
		answer.Content.Gzip, answer.Content.Do = httpd.AcceptsGzip(r.Header), a.Files.Do
	}
	return answer
}

// noAuthorization refuses credentials on a link, as object stores do: a client that keeps its headers when it follows the redirect to a
// file gives them to the server that holds the file.
func (a *API) noAuthorization(header http.Header) error {
	for _, name := range a.credentials {
		if len(header.Values(name)) > 0 {
			return exports.Refuse(exports.AuthorizationForwarded,
				"the request carries the header %s, and the link is signed: a file takes one credential, not two; "+
					"do not send the header on when a redirect leads to a file, nor with a file_url", name)
		}
	}
	return nil
}
