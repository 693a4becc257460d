package pages

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

const (
	webIndex = "index.html"
	// webDocs is the page of the API document.
	webDocs = "docs.html"
	// webHandler is the frame in which the page runs code that a person writes.
	webHandler = "handler.html"
	// webAssets is the folder of files whose names change with their content.
	webAssets = "assets/"
	// webGuide is the folder of the documents.
	webGuide = "guide"

	immutable  = "public, max-age=31536000, immutable"
	revalidate = "no-cache"

	// webPolicy lets the page use what this server sends and nothing else, and compile WebAssembly.
	webPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
		"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	// docsPolicy lets the viewer of the API document write styles into its page.
	docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
		"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	// handlerPolicy gives that frame no origin and no network, and lets it make workers of text. See
	// docs/decisions/web.md#how-does-code-run-that-a-person-writes-on-the-page
	handlerPolicy = "default-src 'none'; script-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'self'; sandbox allow-scripts"
)

// webPolicies are those of the files that are not sent with webPolicy.
var webPolicies = map[string]string{webDocs: docsPolicy, webHandler: handlerPolicy}

// webSmall ends the name of a file that is there compressed alone, as a release holds what is worth it. See
// docs/decisions/web.md#why-is-the-page-compressed-once
const webSmall = ".gz"

// hashedDocuments are the files of the documents whose names change with their content.
var hashedDocuments = regexp.MustCompile(`^guide/assets/(.*/)?[^/]+\.[A-Za-z0-9_-]{8}(\.lean)?\.[a-z0-9]+$`)

// webTypes are the media types of what a page is made of. The tables of the machine do not decide: some know no WebAssembly, some say
// text/plain for JavaScript, and then a browser runs neither.
var webTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".gif": "image/gif", ".html": "text/html; charset=utf-8", ".ico": "image/x-icon",
	".jpg": "image/jpeg", ".js": "text/javascript; charset=utf-8", ".json": httpd.MediaTypeJSON, ".map": httpd.MediaTypeJSON,
	".mjs": "text/javascript; charset=utf-8", ".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
	".wasm": "application/wasm", ".webmanifest": "application/manifest+json", ".webp": "image/webp", ".woff2": "font/woff2",
}

// checkWeb makes sure that there is a page, or nothing yet.
func checkWeb(files fs.FS) error {
	if isEmpty(files, ".") {
		return nil
	}
	file, _, err := openEither(files, webIndex)
	if err != nil {
		return fmt.Errorf("the web page has no %s: %w", webIndex, err)
	}
	return file.Close()
}

// webName is the name of the file that a path asks for. Paths that leave the folder, and files that are hidden, do not exist.
func webName(r *http.Request) (string, bool) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += webIndex
	}
	hidden := strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
	return name, fs.ValidPath(name) && !hidden
}

// openWeb opens a file of the page; a folder is none, so nothing is listed.
func openWeb(files fs.FS, name string) (fs.File, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	information, err := file.Stat()
	if err == nil && !information.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a file", name)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// openEither opens a file of the page, or else the compressed one in its place.
func openEither(files fs.FS, name string) (file fs.File, small bool, err error) {
	if file, err = openWeb(files, name); err == nil {
		return file, false, nil
	}
	if file, smallErr := openWeb(files, name+webSmall); smallErr == nil {
		return file, true, nil
	}
	return nil, false, err
}

// isWeb matches requests for a file of the page. It stands behind all routes, so a file never hides one of them.
func (p *Pages) isWeb(r *http.Request) bool {
	name, ok := webName(r)
	return ok && p.Web != nil && (p.hasWeb(name) || p.awaits(name))
}

// hasWeb tells whether there is a web page with a file.
func (p *Pages) hasWeb(name string) bool {
	if p.Web == nil {
		return false
	}
	for _, name := range []string{name, path.Join(name, webIndex)} {
		if file, _, err := openEither(p.Web, name); err == nil {
			file.Close()
			return true
		}
	}
	return false
}

// webFile sends the file of the page that a request names.
func (p *Pages) webFile(r *httpd.Request) (httpd.Response, error) {
	name, _ := webName(r.Request)
	return p.sendWeb(r, name)
}

// sendWeb sends a file of the page. A folder with an index, such as that of the documents, is led to with a slash at its end, so that its
// links lead on. See docs/decisions/server.md#what-may-the-page-at--do
func (p *Pages) sendWeb(r *httpd.Request, name string) (httpd.Response, error) {
	file, small, err := openEither(p.Web, name)
	if err != nil && p.hasWeb(path.Join(name, webIndex)) {
		return httpd.Response{Status: http.StatusPermanentRedirect, Headers: map[string]string{"Location": path.Base(name) + "/"}}, nil
	}
	if err != nil && p.awaits(name) {
		return p.waiting(r)
	}
	if err != nil { // it was there a moment ago
		return httpd.Response{}, exports.Refuse(exports.RouteNotFound, "the page has no file %s", exports.Shorten(name))
	}
	answer, err := webResponse(file, name)
	base := httpd.BasePath(p.PublicURL)
	switch {
	case err != nil:
	case base != "" && strings.HasPrefix(name, webGuide+"/") && isText.MatchString(name):
		answer.Headers["ETag"] = strings.TrimSuffix(answer.Headers["ETag"], `"`) + "-" + base + `"`
		err = rewritten(&answer, small, []byte("/"+webGuide+"/"), []byte(base+"/"+webGuide+"/"))
	case small:
		err = inCoding(r, &answer)
	}
	if err != nil {
		file.Close()
		return httpd.Response{}, fmt.Errorf("reading %s of the web page: %w", name, err)
	}
	return answer, nil
}

// inCoding sends a compressed file as it is to clients that take it so, and expanded to the others and to those that ask for a part:
// clients that unpack by themselves cannot unpack one.
func inCoding(r *httpd.Request, answer *httpd.Response) error {
	answer.Headers["Vary"] = "Accept-Encoding"
	if r.Header.Get("Range") == "" && httpd.Encoding(r.Header, gzipCoding) != "" {
		answer.Headers["Content-Encoding"] = gzipCoding
		answer.Headers["ETag"] = strings.TrimSuffix(answer.Headers["ETag"], `"`) + "-" + gzipCoding + `"`
		return nil
	}
	return rewritten(answer, true, nil, nil)
}

// isText matches files of the documents with addresses that begin with the folder of the documents: their generator knows no others.
var isText = regexp.MustCompile(`[.](html|js|css|json)$`)

// rewritten puts one text for another into a file, which it expands if it is compressed.
func rewritten(answer *httpd.Response, small bool, old, new []byte) (err error) {
	read := io.Reader(answer.Content.Reader)
	if small {
		if read, err = gzip.NewReader(read); err != nil {
			return err
		}
	}
	plain, err := io.ReadAll(read)
	if err != nil {
		return err
	}
	answer.Content.Reader.Close()
	if old != nil {
		plain = bytes.ReplaceAll(plain, old, new)
	}
	answer.Content = &httpd.Content{Reader: readCloser{bytes.NewReader(plain)}, Size: int64(len(plain)), Modified: answer.Content.Modified}
	return nil
}

// webResponse describes an open file. What is not in the folder of assets is checked for a change at every use, by its content: a build
// may write the date of the day into every file, or none at all.
func webResponse(file fs.File, name string) (httpd.Response, error) {
	reader, ok := file.(io.ReadSeekCloser)
	if !ok {
		return httpd.Response{}, fmt.Errorf("its file system has files that cannot seek (%T)", file)
	}
	information, err := file.Stat()
	if err != nil {
		return httpd.Response{}, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, reader); err != nil {
		return httpd.Response{}, err
	}
	if _, err := reader.Seek(0, io.SeekStart); err != nil {
		return httpd.Response{}, err
	}
	contentType := webTypes[strings.ToLower(path.Ext(name))]
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	caching := revalidate
	if strings.HasPrefix(name, webAssets) || hashedDocuments.MatchString(name) {
		caching = immutable
	}
	policy := cmp.Or(webPolicies[name], webPolicy)
	return httpd.Response{
		Status: http.StatusOK, ContentType: contentType,
		Headers: map[string]string{
			"ETag": `"` + hex.EncodeToString(sum.Sum(nil)[:16]) + `"`, "Cache-Control": caching,
			"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer",
		},
		Content: &httpd.Content{Reader: reader, Size: information.Size(), Modified: information.ModTime()},
	}, nil
}
