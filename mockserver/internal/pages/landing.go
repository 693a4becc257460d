package pages

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

//go:embed landing.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// Example holds credentials that may be shown to everybody who opens the page.
type Example struct {
	Company, Application, Project, Token string
}

// pageKind is one row of the list of exports.
type pageKind struct {
	Kind, Method, Path, Choice, Format, Lookback, Summary string
}

type pageData struct {
	Nonce, BaseURL string
	Now            string
	Frozen         bool
	Example        Example
	Kinds          []pageKind
	Tour           tour
}

// page answers the web page if there is one, and otherwise the landing page:
// five commands that end with two files.
func (p *Pages) page(r *httpd.Request) (httpd.Response, error) {
	if p.Web != nil {
		return p.webFile(r)
	}
	nonce, err := p.nonce()
	if err != nil {
		return httpd.Response{}, err
	}
	_ = p.Live.Refresh(r.Context()) // without its store, the page is still a page
	r.Now = p.Live.Now()
	base := p.baseURL(r)
	data := pageData{
		Nonce: nonce, BaseURL: base, Example: p.Example,
		Now: r.Now.UTC().Format("2006-01-02 15:04:05"), Frozen: p.Live.Clock("").Frozen,
		Tour: p.tourOf(base, r.Now),
	}
	for _, route := range p.Server.Routes() {
		for _, export := range route.Exports {
			data.Kinds = append(data.Kinds, p.pageKind(export))
		}
	}
	var body bytes.Buffer
	if err := pageTemplate.Execute(&body, data); err != nil {
		return httpd.Response{}, fmt.Errorf("writing the page: %w", err)
	}
	return httpd.Response{
		Status: http.StatusOK, ContentType: httpd.MediaTypeHTML, Body: body.Bytes(),
		Headers: map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'nonce-" + nonce + "'; script-src 'nonce-" + nonce +
				"'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			"Referrer-Policy": "no-referrer",
		},
	}, nil
}

// icon keeps browsers that ask anyway from causing an error.
func (p *Pages) icon(r *httpd.Request) (httpd.Response, error) {
	if p.isWeb(r.Request) {
		return p.webFile(r)
	}
	return httpd.Response{Status: http.StatusNoContent}, nil
}

func (p *Pages) pageKind(export schemas.Export) pageKind {
	kind := pageKind{
		Kind: export.Kind, Method: export.Method, Path: export.Path, Summary: export.Summary,
		Format: strings.ToUpper(export.Format), Lookback: "snapshot", Choice: exports.ChoiceOf(p.Library, export),
	}
	if export.Lookback > 0 {
		kind.Lookback = fmt.Sprintf("%d days", int(export.Lookback.Hours()/24))
	}
	return kind
}
