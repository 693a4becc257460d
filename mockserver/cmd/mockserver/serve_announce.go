package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// announce prints where the server is and how to begin. The first line is for
// programs: "listening on http://HOST:PORT", or the path of a Unix socket.
func announce(t terminal, endpoint *listen.Endpoint, f serveFlags, o mockserver.Options, server *mockserver.Server, memory,
	control string) {
	var text strings.Builder // names of files and keys may be anything
	defer func() { fmt.Fprint(t.out, report.PrintableLines(text.String())) }()
	now, dialect := server.Now(), exports.DialectOf(server.Schemas())
	legacy := dialect.Legacy().Headers
	profiles, _ := dialect.Named("profiles")
	fmt.Fprintf(&text, "listening on %s\n", endpoint)
	base, options := endpoint.Base("localhost"), endpoint.CurlOptions(f.tls.Save)
	if f.PublicURL != "" {
		base, options = strings.TrimSuffix(f.PublicURL, "/"), ""
	}
	fmt.Fprintf(&text, "  page         %s/%s\n  state        %s\n", base, webNote(f.web), state.Name(f.state))
	fmt.Fprintf(&text, "  world        seed %d, %d profiles\n", f.Seed, f.Profiles)
	if held, err := server.Dataset(context.Background()); err == nil {
		fmt.Fprint(&text, dataNote(f.data, held))
	}
	if memory != "" {
		fmt.Fprintf(&text, "  memory       %s\n", memory)
	}
	switch {
	case !f.StartAt.IsZero():
		fmt.Fprintf(&text, "  clock        set to %s\n", f.StartAt.Format(time.RFC3339Nano))
	case f.replay != "":
		fmt.Fprintf(&text, "  clock        %s, when the recording began\n", now.Format(time.RFC3339))
	case now.Sub(t.now()).Abs() > time.Minute:
		fmt.Fprintf(&text, "  clock        %s, as it was left in the state (DELETE /_mock/clock brings the real time back)\n",
			now.Format(time.RFC3339))
	}
	if f.FilesURL != "" {
		fmt.Fprintf(&text, "  files        %s\n", strings.TrimSuffix(f.FilesURL, "/"))
	}
	if note := endpoint.CertificateNote(f.tls.Save); note != "" {
		fmt.Fprintf(&text, "  certificate  %s\n", note)
	}
	if f.lan {
		scheme, _, _ := strings.Cut(endpoint.String(), ":")
		for _, address := range auth.Reachable(endpoint.Address()) {
			fmt.Fprintf(&text, "  network      %s://%s, for apps with the code %s; /join says that a phone reaches it\n", scheme, address,
				server.JoinCode())
		}
	}
	if control != "" {
		fmt.Fprintf(&text, "  /_mock/      %s\n", control)
	}
	if o.Credentials.Any {
		fmt.Fprintln(&text, "  credentials  any that are not empty")
	}
	company, application, project, opens := "KEY", "KEY", "PROJECT", "TOKEN"
	for _, holder := range o.Credentials.Companies {
		fmt.Fprintf(&text, "  company      %s%s\n", legacy.Example(holder.Key.Reveal()), planNote(holder.Plan))
		for _, key := range holder.Applications {
			fmt.Fprintf(&text, "  application  %s (%s)\n", key.Key, cmp.Or(key.Environment, "live"))
		}
		for _, project := range holder.Projects {
			for _, token := range project.Tokens {
				fmt.Fprintf(&text, "  project      %s: %s, %s\n", profiles.Headers.Project, project.Key, profiles.Headers.Example(token.Reveal()))
			}
		}
		if company == "KEY" && len(holder.Applications) > 0 {
			company, application = holder.Key.Reveal(), holder.Applications[0].Key
		}
		if opens == "TOKEN" && len(holder.Projects) > 0 && len(holder.Projects[0].Tokens) > 0 {
			project, opens = holder.Projects[0].Key, holder.Projects[0].Tokens[0].Reveal()
		}
	}
	for _, its := range dialect {
		if _, specified := exports.Specified().Named(its.Name); !specified {
			fmt.Fprintf(&text, "  %-12s %s\n", its.Name, interfaceNote(server.Schemas(), its, company, application, project, opens))
		}
	}
	for _, export := range server.Schemas().Exports() {
		if export.View != vocabulary.ViewInstallations {
			continue
		}
		payload := export.Example
		if payload == "" { // an overlay has given it dates
			var err error
			if payload, err = exports.TemplateOf(server.Schemas(), export).Short(time.Time{}); err != nil {
				continue
			}
		}
		path := strings.ReplaceAll(export.Path, "{"+export.Speaks.KeyVariable+"}", url.PathEscape(application))
		fmt.Fprintf(&text, "  try          curl -s%s %s%s -H '%s' -H 'Content-Type: application/json' -d '%s'\n", options, base, path,
			legacy.Example(company), payload)
		break
	}
}

// interfaceNote names the requests of an added interface, and the headers that they carry.
func interfaceNote(library *schemas.Library, its exports.Interface, company, application, project, token string) string {
	var requests []string
	for _, export := range library.Exports() {
		path := strings.ReplaceAll(export.Path, "{"+its.KeyVariable+"}", url.PathEscape(application))
		if request := export.Method + " " + path; export.Interface == its.Name && !slices.Contains(requests, request) {
			requests = append(requests, request)
		}
	}
	headers := its.Headers.Example(token)
	switch {
	case its.KeyVariable != "":
		headers = its.Headers.Example(company)
	case its.Headers.Basic():
		headers = its.Headers.Example("with the user " + project + " and the password " + token)
	case its.Headers.Project != "":
		headers += ", " + its.Headers.Project + ": " + project
	}
	return strings.Join(requests, ", ") + "; " + headers
}

// dataNote returns a line about the dataset of a server, from --data or from the state; "" without one.
func dataNote(name string, held mockserver.Dataset) string {
	if name == "" && held.Profiles+held.Installations+held.Events == 0 && !held.Only {
		return ""
	}
	mode := "beside the world"
	if held.Only {
		mode = "only: exports show nothing of the world"
	}
	return fmt.Sprintf("  data         %s: %d profiles, %d installations, %d events; %s\n",
		cmp.Or(name, "as it was left in the state"), held.Profiles, held.Installations, held.Events, mode)
}

func planNote(plan string) string {
	if plan == "" || plan == "enterprise" {
		return ""
	}
	return " (plan " + plan + ": exports are refused)"
}
