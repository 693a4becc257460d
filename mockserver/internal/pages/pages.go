// Package pages answers what a person opens in a browser: the web page, or a
// list of the routes where there is none, and the API document.
package pages

import (
	_ "embed"
	"fmt"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/markup"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Config is what Pages work with. All fields are needed unless they say otherwise.
type Config struct {
	Library *schemas.Library
	Server  *httpd.Server // whose routes are shown
	// Web is the built web page, index.html and what it needs; nil shows the routes.
	Web fs.FS
	// Document writes an API document, when somebody first asks for it; nil leaves them out, and their routes with them.
	Document func(Edition) ([]byte, error)
	// PublicURL is the address of the server; empty means the address the client used.
	PublicURL string
	// Started is when the server began, by the clock of the machine.
	Started time.Time
}

// Pages answer what a person opens. They are safe for concurrent use.
type Pages struct{ Config }

// New checks that there is a page, where files for one are given.
func New(config Config) (*Pages, error) {
	if config.Web != nil {
		if err := checkWeb(config.Web); err != nil {
			return nil, err
		}
	}
	if config.Document != nil {
		config.Document = once(config.Document)
	}
	return &Pages{config}, nil
}

// once writes every document at most one time.
func once(write func(Edition) ([]byte, error)) func(Edition) ([]byte, error) {
	written := map[Edition]func() ([]byte, error){}
	for _, edition := range Editions() {
		written[edition] = sync.OnceValues(func() ([]byte, error) { return write(edition) })
	}
	return func(edition Edition) ([]byte, error) { return written[edition]() }
}

// Routes are the routes of the pages.
func (p *Pages) Routes() []*httpd.Route {
	page := &httpd.Route{Name: "page", Method: http.MethodGet, Path: "/", Credential: httpd.Public, Handle: p.page,
		Description: httpd.Description{Summary: "The web page, or a list of the routes where there is none."},
		Output:      httpd.Output{Validators: true, ResponseMedia: []string{httpd.MediaTypeHTML}}}
	icon := &httpd.Route{Name: "favicon", Method: http.MethodGet, Path: "/favicon.ico", Credential: httpd.Public, Handle: p.icon,
		Description: httpd.Description{Summary: "The icon of the web page, or none, and no 404 in the log either."},
		Output:      httpd.Output{Status: http.StatusNoContent}}
	if p.Web != nil { // files may go away
		page.Refusals = []string{exports.RouteNotFound}
		icon.Validators, icon.ResponseMedia = true, []string{"image/x-icon"}
	}
	join := &httpd.Route{Name: "join", Method: http.MethodGet, Path: "/join", Credential: httpd.Public, Handle: p.join,
		Description: httpd.Description{Summary: "A page that says that a phone reaches the server, for apps that join."},
		Output:      httpd.Output{Validators: true, ResponseMedia: []string{httpd.MediaTypeHTML}}}
	return httpd.MockRoutes(httpd.PagesGroup().Of(page, icon, join))
}

// Files are the files of the web page.
func (p *Pages) Files() httpd.Files {
	if p.Web == nil {
		return httpd.Files{}
	}
	return httpd.Files{Has: p.isWeb, Route: &httpd.Route{Name: "web", Credential: httpd.Public, Handle: p.webFile}}
}

func (p *Pages) baseURL(r *httpd.Request) string { return httpd.BaseURL(r.Request, p.PublicURL) }

//go:embed join.html
var joinPage string

// join tells a person with a phone in the hand that the network is not at fault.
func (p *Pages) join(r *httpd.Request) (httpd.Response, error) {
	page, err := markup.Fill(joinPage, markup.Values{"address": p.baseURL(r)})
	if err != nil {
		return httpd.Response{}, fmt.Errorf("writing the page for apps that join: %w", err)
	}
	return p.plainPage(r, page)
}

// page answers the web page, or the routes.
func (p *Pages) page(r *httpd.Request) (httpd.Response, error) {
	if p.Web != nil {
		return p.webFile(r)
	}
	return p.listRoutes(r)
}

// icon keeps browsers that ask anyway from causing an error.
func (p *Pages) icon(r *httpd.Request) (httpd.Response, error) {
	if p.isWeb(r.Request) {
		return p.webFile(r)
	}
	return httpd.Response{Status: http.StatusNoContent}, nil
}
