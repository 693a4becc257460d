package main

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
)

type proxyFlags struct {
	upstream, authority string
	where               listen.Flags
	tls                 listen.TLS
	hosts               []string
	cors                string
	token               secret.Text
	schemas             files.Overlays
	rewrite             bool
	failOn, known       string
	// Outputs.
	out struct {
		format, file, suggest, ready, record string
		pseudonymise                         secret.Text
	}
	play playFlags
}

// playFlags are what the proxy asks the service itself: the conversations of a directory, with values from a file.
type playFlags struct{ from, values string }

func (f *proxyFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.upstream, "upstream", "", "pass every request on to the service at `URL`, such as https://api.example.com (required)")
	flags.StringVar(&f.authority, "upstream-ca", "",
		"trust the certificate authorities in `FILE` (PEM) for --upstream, beside those of the system")
	f.where.Define(flags)
	f.tls.Define(flags)
	defineHosts(flags, &f.hosts)
	flags.StringVar(&f.cors, "cors", "",
		"let pages of the origins in `LIST`, such as http://localhost:5173, or * for all, send requests; what they may read the service says")
	settings.Secret(flags, &f.token, "proxy-token",
		"take requests only at an address that ends with /_token/`TOKEN` (default none on loopback, otherwise a new one, which is printed)",
		inPath)
	settings.RepeatedFunc(flags, "schemas", files.OverlaysUsage, f.schemas.Add)
	flags.BoolVar(&f.rewrite, "rewrite-links", false, "let links in answers lead through the proxy, so that files are seen and checked")
	flags.StringVar(&f.failOn, "fail-on", string(drift.Low),
		"exit with 1 on a drift that is not known and at least as bad as `LEVEL`: low, medium, high, critical, or never")
	flags.StringVar(&f.known, "known-drifts", "", "read known drifts from `FILE`: an identifier at the beginning of each line, then a comment")
	flags.StringVar(&f.out.format, "format", report.Text, "print the report as `FORMAT`: text, json, junit, sarif or html")
	flags.StringVar(&f.out.file, "report", "", "write the report to `FILE` instead of the standard output; one that ends in .html is a page")
	flags.StringVar(&f.out.suggest, "suggest-overlay", "",
		"write schema files that allow the drifts into `DIR`, which must be empty or absent")
	flags.StringVar(&f.out.record, "record", "",
		"keep what passes in `DIR`, which must be empty or absent, for serve --replay; turns --rewrite-links on")
	settings.Secret(flags, &f.out.pseudonymise, "pseudonymise", "before --record writes it, "+pseudonymiseUsage, nil)
	flags.StringVar(&f.out.ready, "ready-file", "", "create `FILE` when the proxy answers, with its address as JSON, and remove it at the end")
	flags.StringVar(&f.play.from, "play", "",
		"ask the service by the conversations in `DIR`, or those of the program with the word default; then end")
	flags.StringVar(&f.play.values, "play-values", "", "read what conversations name, such as company_key, from `FILE`, in YAML or JSON")
	settings.OneOf(flags, "fail-on", failLevels()...)
}

// inPath refuses a token that would have to be escaped.
func inPath(token string) error {
	if token == "" || token != url.PathEscape(token) || strings.ContainsAny(token, "./$&+=:@") {
		return errors.New("must have letters, digits, - and _ only, and at least one")
	}
	return nil
}

// check refuses values that no flag can have alone or together with the others.
func (f *proxyFlags) check() error {
	if f.out.format == report.Text && strings.HasSuffix(f.out.file, ".html") {
		f.out.format = report.HTML
	}
	if _, err := f.service(); err != nil {
		return err
	}
	if f.play.values != "" && f.play.from == "" {
		return usage.Errorf("--play-values is for --play, which is missing")
	}
	for flag, directory := range map[string]string{"suggest-overlay": f.out.suggest, "record": f.out.record} {
		if directory == "" {
			continue
		}
		there, err := os.ReadDir(directory)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return usage.Errorf("--%s %s cannot be read as a directory; name one that is empty or absent", flag, directory)
		case len(there) > 0:
			return usage.Errorf("--%s %s is not empty: nothing is written over other files; name another directory", flag, directory)
		}
	}
	return f.tls.Check()
}

// service is the address of the service.
func (f *proxyFlags) service() (*url.URL, error) {
	if f.upstream == "" {
		return nil, usage.Errorf("--upstream is missing: name the service, such as https://api.example.com")
	}
	address, err := url.Parse(f.upstream)
	switch {
	case err != nil:
		return nil, usage.Errorf("--upstream is no URL")
	case address.Scheme != "http" && address.Scheme != "https" || address.Host == "":
		return nil, usage.Errorf("--upstream must begin with http:// or https:// and name a host")
	case address.User != nil || address.RawQuery != "" || address.Fragment != "":
		return nil, usage.Errorf("--upstream must be scheme, host and path only: credentials are those of the client")
	}
	return address, nil
}
