package pages

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

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

// pageStep is one command of the tour.
type pageStep struct {
	Title, Text, Command string
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
	Steps          []pageStep
	Kinds          []pageKind
	Extras         []pageStep
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
		Steps: p.tour(base, r.Now), Extras: p.extras(base),
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

// tour is five lines to copy, one after the other, into one shell.
func (p *Pages) tour(base string, now time.Time) []pageStep {
	words := p.words()
	legacy, profile := words.headers(p.Example, words.legacy), words.headers(p.Example, words.profiles)
	const asJSON = `-H "Content-Type: application/json"`
	states := words.legacy.States
	return []pageStep{
		{"Ask for a CSV file", "What happened to the messages of a push campaign in the last seven days. The answer is 202 with an identifier.",
			fmt.Sprintf(`REQUEST=$(curl -s %s%s %s %s -d '{"from":"%s","to":"now","events":["push_sent","push_open"],"ids":["install_id","custom_id"]}' | cut -d'"' -f4); echo $REQUEST`,
				base, words.address("campaign.events", p.Example), legacy, asJSON, now.Add(-7*24*time.Hour).UTC().Format(exports.LocalDateTime))},
		{"Wait for it", strings.Join(append(states.Underway(), states.Done()), ", then ") + " with a link that works for 20 minutes. Ask again for a new one.",
			fmt.Sprintf(`for i in $(seq 30); do curl -sSfo record.json %s %s || break; grep -E '"(%s|%s)"' record.json && break; sleep 1; done`,
				base+words.address("legacy.status", p.Example), legacy, states.Done(), states.Failed())},
		words.download(legacy),
		{"Ask for a JSON file", "Every profile as it is now: a snapshot.",
			fmt.Sprintf(`EXPORT=$(curl -s %s%s %s %s -d '{"export_type":"ATTRIBUTES","attributes":["$email_address","$language"],"identifiers":["custom_id"]}' | cut -d'"' -f4); echo $EXPORT`,
				base, words.address("profiles.create", p.Example), profile, asJSON)},
		words.downloadPart(base, profile),
	}
}

// words are how the interfaces speak, for the commands.
type words struct {
	legacy, profiles exports.Interface
	routes           map[string]*httpd.Route
}

func (p *Pages) words() words {
	w := words{routes: map[string]*httpd.Route{}}
	dialect := exports.DialectOf(p.Library)
	w.legacy = dialect.Legacy()
	w.profiles, _ = dialect.Named("profiles")
	for _, route := range p.Server.Routes() {
		w.routes[route.Name] = route
	}
	return w
}

// headers are the credentials of an interface.
func (w words) headers(example Example, its exports.Interface) string {
	if its.KeyVariable != "" {
		return fmt.Sprintf(`-H "%s"`, its.Headers.Example(example.Company))
	}
	return fmt.Sprintf(`-H "%s" -H "%s: %s"`, its.Headers.Example(example.Token), its.Headers.Project, example.Project)
}

// address is the address of a route, with the variable of the shell that an
// earlier command has set.
func (w words) address(name string, example Example) string {
	route := w.routes[name]
	if route == nil {
		return "/"
	}
	const request = "REQUEST"
	return strings.ReplaceAll(route.Address(func(name string) string {
		switch name {
		case route.Interface.KeyVariable:
			return example.Application
		case "campaign_token":
			return "welcome"
		}
		return request
	}), request, "$"+request)
}

// download is the command that fetches the file of the legacy export.
func (w words) download(headers string) pageStep {
	step := pageStep{"Download it", "The link is its own credential.",
		`curl -so campaign.csv "$(grep -o 'http[^"]*' record.json)" && head -n 5 campaign.csv`}
	if w.legacy.Redirects {
		step.Text = "The address asks for the credentials and redirects to a link, which is its own credential."
		step.Command = fmt.Sprintf(`curl -so campaign.csv "$(curl -so /dev/null -w '%%{redirect_url}' %s "$(grep -o 'http[^"]*' record.json)")" && head -n 5 campaign.csv`, headers)
	}
	return step
}

// downloadPart is the command that fetches the first part of the profile export.
func (w words) downloadPart(base, headers string) pageStep {
	const title, more = "Download that one", " There may be several parts; this is the first."
	const fetch = ` && curl -sSfo profiles.json "$LINK" && head -c 400 profiles.json; [ $? = 22 ] || break; sleep 1; done`
	download, view := w.routes["profiles.download"], w.routes["profiles.view"]
	if w.profiles.Redirects && download != nil {
		return pageStep{title, "Refused with 404 until it is there; the line gives up after 30 tries. The answer leads to a link, which is asked without the credentials." + more,
			fmt.Sprintf(`for i in $(seq 30); do LINK=$(curl -sSfo /dev/null -w '%%{redirect_url}' "%s%s?id=%s${EXPORT#%s}_1" %s)`, base, download.Path, w.profiles.Identifiers.File, w.profiles.Identifiers.Export, headers) + fetch}
	}
	if view == nil {
		return pageStep{Title: title}
	}
	return pageStep{title, "The record has links once it is finished; the line gives up after 30 tries. A link is its own credential." + more,
		fmt.Sprintf(`for i in $(seq 30); do LINK=$(curl -sSf "%s%s?id=$EXPORT" %s | grep -o '"url":"[^"]*' | cut -d'"' -f4 | head -n 1); [ -n "$LINK" ] || { sleep 1; continue; }; curl -sSfo profiles.json "$LINK" && head -c 400 profiles.json; break; done`, base, view.Path, headers)}
}

// extras are the levers that a real service does not have.
func (p *Pages) extras(base string) []pageStep {
	control, words := "", p.words()
	if p.ControlToken {
		control = ` -H "Authorization: Bearer $REHEARSAL_CONTROL_TOKEN"`
	}
	return []pageStep{
		{"Move the clock", "Links, files, lookback and rate limits follow it. With ?key= it moves for one application or project key alone.",
			fmt.Sprintf(`curl -s %s/_mock/clock -H "Content-Type: application/json"%s -d '{"advance":"21m"}'`, base, control)},
		{"Force what is rare", "On any request: error=MAINTENANCE_ERROR, latency=200ms, cut=1000, outcome=error, rows=0, progress=polls:3 and more.",
			fmt.Sprintf(`curl -s %s%s %s -H "Content-Type: application/json" -H "X-Mock-Scenario: error=CONFLICT" -d '{"ids":["install_id"]}'`,
				base, words.address("userbase", p.Example), words.headers(p.Example, words.legacy))},
		{"Look behind the curtain", "Every export request and what its file depends on.",
			fmt.Sprintf(`curl -s %s/_mock/exports%s`, base, control)},
	}
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
