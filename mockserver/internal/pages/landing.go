package pages

import (
	_ "embed"
	"fmt"
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/markup"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

//go:embed landing.html
var landingPage string

// Example holds credentials that may be shown to everybody who opens the page.
type Example struct {
	Company, Application, Project, Token string
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
	var kinds []markup.Values
	for _, route := range p.Server.Routes() {
		for _, export := range route.Exports {
			kinds = append(kinds, p.pageKind(export))
		}
	}
	body, err := markup.Fill(landingPage, markup.Values{
		"nonce": nonce, "address": base, "now": r.Now.UTC().Format("2006-01-02 15:04:05"), "frozen": p.Live.Clock("").Frozen,
		"company": p.Example.Company, "application": p.Example.Application, "project": p.Example.Project, "token": p.Example.Token,
		"steps": shown(p.steps(base, r.Now)), "controls": shown(p.controls(base, r.Now)), "kinds": kinds,
	})
	if err != nil {
		return httpd.Response{}, fmt.Errorf("writing the page: %w", err)
	}
	return httpd.Response{
		Status: http.StatusOK, ContentType: httpd.MediaTypeHTML, Body: []byte(body),
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

// shown are commands as the page has them.
func shown(commands []command) (list []markup.Values) {
	for _, each := range commands {
		list = append(list, markup.Values{"title": each.Title, "text": each.Text, "command": each.Command})
	}
	return list
}

// pageKind is one row of the list of exports.
func (p *Pages) pageKind(export schemas.Export) markup.Values {
	choice, lookback := exports.ChoiceOf(p.Library, export), "snapshot"
	if export.Lookback > 0 {
		lookback = fmt.Sprintf("%d days", int(export.Lookback.Hours()/24))
	}
	return markup.Values{
		"kind": export.Kind, "method": export.Method, "path": export.Path, "summary": export.Summary,
		"format": strings.ToUpper(export.Format), "lookback": lookback, "choice": choice, "chosen": choice != "",
	}
}
