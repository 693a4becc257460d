package main

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
)

// announce prints where the server is and how to begin. The first line is for
// programs: "listening on http://HOST:PORT", or the path of a Unix socket.
func announce(t terminal, endpoint *listen.Endpoint, f serveFlags, credentials mockserver.Credentials, now time.Time, memory, control string) {
	fmt.Fprintf(t.out, "listening on %s\n", endpoint)
	base, options := endpoint.Base("localhost"), endpoint.CurlOptions(f.tls.Save)
	if f.publicURL != "" {
		base, options = strings.TrimSuffix(f.publicURL, "/"), ""
	}
	fmt.Fprintf(t.out, "  page         %s/\n  state        %s\n  world        seed %d, %d profiles\n", base, state.Name(f.state), f.seed, f.profiles)
	if memory != "" {
		fmt.Fprintf(t.out, "  memory       %s\n", memory)
	}
	switch {
	case !f.now.IsZero():
		fmt.Fprintf(t.out, "  clock        set to %s\n", f.now.Format(time.RFC3339Nano))
	case now.Sub(t.now()).Abs() > time.Minute:
		fmt.Fprintf(t.out, "  clock        %s, as it was left in the state\n", now.Format(time.RFC3339))
	}
	if f.filesURL != "" {
		fmt.Fprintf(t.out, "  files        %s\n", strings.TrimSuffix(f.filesURL, "/"))
	}
	if note := endpoint.CertificateNote(f.tls.Save); note != "" {
		fmt.Fprintf(t.out, "  certificate  %s\n", note)
	}
	if control != "" {
		fmt.Fprintf(t.out, "  /_mock/      %s\n", control)
	}
	if credentials.Any {
		fmt.Fprintln(t.out, "  credentials  any that are not empty")
	}
	company, application := "KEY", "KEY"
	for _, holder := range credentials.Companies {
		fmt.Fprintf(t.out, "  company      X-Authorization: %s%s\n", holder.Key, planNote(holder.Plan))
		for _, key := range holder.Applications {
			fmt.Fprintf(t.out, "  application  %s (%s)\n", key.Key, cmp.Or(key.Environment, "live"))
		}
		for _, project := range holder.Projects {
			for _, token := range project.Tokens {
				fmt.Fprintf(t.out, "  project      X-Service-Project: %s, Authorization: Bearer %s\n", project.Key, token)
			}
		}
		if company == "KEY" && len(holder.Applications) > 0 {
			company, application = holder.Key, holder.Applications[0].Key
		}
	}
	fmt.Fprintf(t.out, "  try          curl -s%s %s/1.0/%s/export/userbase -H 'X-Authorization: %s' -H 'Content-Type: application/json' -d '{\"ids\":[\"install_id\",\"custom_id\"]}'\n",
		options, base, url.PathEscape(application), company)
}

func planNote(plan string) string {
	if plan == "" || plan == "enterprise" {
		return ""
	}
	return " (plan " + plan + ": exports are refused)"
}
