package pages

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/markup"
)

//go:embed waiting.html
var waitingPage string

// isEmpty reports whether a folder is missing or has nothing in it: a build puts a finished one in its place.
func isEmpty(files fs.FS, folder string) bool {
	entries, err := fs.ReadDir(files, folder)
	return errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0
}

// awaits reports whether a file is a page that a build has still to bring: the web
// page itself, or one of the documents, whose folder is empty until they are built.
func (p *Pages) awaits(name string) bool {
	empty := isEmpty(p.Web, ".")
	if name == webIndex {
		return empty
	}
	isDocument := (name == webGuide || strings.HasPrefix(name, webGuide+"/")) && (path.Ext(name) == "" || path.Ext(name) == ".html")
	_, err := fs.Stat(p.Web, webGuide)
	return isDocument && (empty || err == nil && isEmpty(p.Web, webGuide))
}

// waiting answers a page that says what is still being built, and asks again.
func (p *Pages) waiting(r *httpd.Request) (httpd.Response, error) {
	body, err := markup.Fill(waitingPage, markup.Values{
		"page": p.hasWeb(webIndex), "documents": p.hasWeb(path.Join(webGuide, webIndex)),
	})
	if err != nil {
		return httpd.Response{}, fmt.Errorf("writing the page that waits: %w", err)
	}
	answer, err := p.plainPage(r, body)
	if err != nil {
		return httpd.Response{}, err
	}
	answer.Headers["Cache-Control"] = "no-store"
	return answer, nil
}
