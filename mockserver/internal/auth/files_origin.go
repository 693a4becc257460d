package auth

import (
	"context"
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// filesOrigin marks the requests that came to the origin of the files.
type filesOrigin struct{}

// OnFilesOrigin marks the connections of a listener that serves files only.
func OnFilesOrigin(ctx context.Context) context.Context {
	return context.WithValue(ctx, filesOrigin{}, true)
}

// checkFilesOrigin refuses requests for files at the origin of the API, and all others at that of the files. url is the latter; empty
// when they share one. The page that the server shows reads files at its own origin: no other client says that it comes from there.
func checkFilesOrigin(url string, r *http.Request, route *httpd.Route) error {
	if url == "" {
		return nil
	}
	here, wantsFile := r.Context().Value(filesOrigin{}) != nil, route != nil && route.Stage == exports.StageFile
	switch {
	case wantsFile && !here && r.Header.Get("Sec-Fetch-Site") == "same-origin":
	case wantsFile && !here:
		return exports.Refuse(exports.RouteNotFound, "files are not served here, but at %s, as their links say (--files-addr)",
			strings.TrimSuffix(url, "/"))
	case !wantsFile && here && (route != nil || r.Method == http.MethodGet ||
		r.Method == http.MethodHead): // else a file, by a method that it does not have
		return exports.Refuse(exports.RouteNotFound, "files alone are served here; the API has another origin (--files-addr)")
	}
	return nil
}
