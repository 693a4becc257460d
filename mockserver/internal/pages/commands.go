package pages

import (
	"fmt"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// command is one line of a shell on the landing page, with its purpose.
type command struct{ Title, Text, Command string }

// steps are five lines to copy, one after the other, into one shell.
func (p *Pages) steps(base string, now time.Time) []command {
	words := p.words()
	legacy, profile := words.headers(p.Example, words.legacy), words.headers(p.Example, words.profiles)
	messages, messagesOf := p.example(vocabulary.ViewInstallationMessages, now)
	people, peopleOf := p.example(vocabulary.ViewProfiles, now)
	const asJSON = `-H "Content-Type: application/json"`
	states := words.legacy.States
	return []command{
		{"Ask for a CSV file", "What happened to the messages of a push campaign in the last seven days. The answer is 202 with an identifier.",
			fmt.Sprintf(`REQUEST=$(curl -s %s%s %s %s -d '%s' | cut -d'"' -f4); echo $REQUEST`, base, words.address(messages, p.Example), legacy, asJSON, messagesOf)},
		{"Wait for it", strings.Join(append(states.Underway(), states.Done()), ", then ") + " with a link that works for 20 minutes. Ask again for a new one.",
			fmt.Sprintf(`for i in $(seq 30); do curl -sSfo record.json %s %s || break; grep -E '"(%s|%s)"' record.json && break; sleep 1; done`,
				base+words.address(words.routes["legacy.status"], p.Example), legacy, states.Done(), states.Failed())},
		words.download(legacy),
		{"Ask for a JSON file", "Every profile as it is now: a snapshot.",
			fmt.Sprintf(`EXPORT=$(curl -s %s%s %s %s -d '%s' | cut -d'"' -f4); echo $EXPORT`, base, words.address(people, p.Example), profile, asJSON, peopleOf)},
		words.downloadPart(base, profile),
	}
}

// example is the route that creates the first export of a view, and a payload; no
// route where an overlay has none.
func (p *Pages) example(view string, now time.Time) (*httpd.Route, string) {
	for _, route := range p.Server.Routes() {
		for _, export := range route.Exports {
			if payload, err := exports.TemplateOf(p.Library, export).Short(now); err == nil && export.View == view {
				return route, payload
			}
		}
	}
	return nil, "{}"
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
func (w words) address(route *httpd.Route, example Example) string {
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
func (w words) download(headers string) command {
	step := command{"Download it", "The link is its own credential.",
		`curl -so campaign.csv "$(grep -o 'http[^"]*' record.json)" && head -n 5 campaign.csv`}
	if w.legacy.Redirects {
		step.Text = "The address asks for the credentials and redirects to a link, which is its own credential."
		step.Command = fmt.Sprintf(`curl -so campaign.csv "$(curl -so /dev/null -w '%%{redirect_url}' %s "$(grep -o 'http[^"]*' record.json)")" && head -n 5 campaign.csv`, headers)
	}
	return step
}

// downloadPart is the command that fetches the first part of the profile export.
func (w words) downloadPart(base, headers string) command {
	const title, more = "Download that one", " There may be several parts; this is the first."
	const fetch = ` && curl -sSfo profiles.json "$LINK" && head -c 400 profiles.json; [ $? = 22 ] || break; sleep 1; done`
	download, view := w.routes["profiles.download"], w.routes["profiles.view"]
	if w.profiles.Redirects && download != nil {
		return command{title, "Refused with 404 until it is there; the line gives up after 30 tries. The answer leads to a link, which is asked without the credentials." + more,
			fmt.Sprintf(`for i in $(seq 30); do LINK=$(curl -sSfo /dev/null -w '%%{redirect_url}' "%s%s?id=%s${EXPORT#%s}_1" %s)`, base, download.Path, w.profiles.Identifiers.File, w.profiles.Identifiers.Export, headers) + fetch}
	}
	if view == nil {
		return command{Title: title}
	}
	return command{title, "The record has links once it is finished; the line gives up after 30 tries. A link is its own credential." + more,
		fmt.Sprintf(`for i in $(seq 30); do LINK=$(curl -sSf "%s%s?id=$EXPORT" %s | grep -o '"url":"[^"]*' | cut -d'"' -f4 | head -n 1); [ -n "$LINK" ] || { sleep 1; continue; }; curl -sSfo profiles.json "$LINK" && head -c 400 profiles.json; break; done`, base, view.Path, headers)}
}

// controls are what a real service does not have.
func (p *Pages) controls(base string, now time.Time) []command {
	control, words := "", p.words()
	userbase, userbaseOf := p.example(vocabulary.ViewInstallations, now)
	if p.ControlToken {
		control = ` -H "Authorization: Bearer $REHEARSAL_CONTROL_TOKEN"`
	}
	return []command{
		{"Move the clock", "Links, files, lookback and rate limits follow it. With ?key= it moves for one application or project key alone.",
			fmt.Sprintf(`curl -s %s/_mock/clock -H "Content-Type: application/json"%s -d '{"advance":"21m"}'`, base, control)},
		{"Force what is rare", "On any request: error=MAINTENANCE_ERROR, latency=200ms, cut=1000, outcome=error, rows=0, progress=polls:3 and more.",
			fmt.Sprintf(`curl -s %s%s %s -H "Content-Type: application/json" -H "X-Mock-Scenario: error=CONFLICT" -d '%s'`,
				base, words.address(userbase, p.Example), words.headers(p.Example, words.legacy), userbaseOf)},
		{"Look behind the curtain", "Every export request and what its file depends on.",
			fmt.Sprintf(`curl -s %s/_mock/exports%s`, base, control)},
	}
}
