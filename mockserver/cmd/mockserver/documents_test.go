package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// foreignFlags are flags of other programs that the documents show.
var foreignFlags = strings.Fields(`
	all batch-mode build-arg cacert check data-binary depth export-api fail-on-warning find-links halt input location-trusted meta name-mappings no no-index output
	output-path overwrite path requirement retry rm save-dev sshlogin
`)

// documents are the README and the pages for users, but for those that tell of the past.
func documents(t *testing.T) (names []string) {
	t.Helper()
	const root = "../../../"
	names = []string{root + "README.md", root + "mockserver/examples/README.md"}
	err := filepath.WalkDir(root+"docs", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "decisions" || entry.Name() == "node_modules"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".md"):
			names = append(names, name)
		}
		return nil
	})
	if err != nil || len(names) < 40 {
		t.Fatalf("%d documents, %v", len(names), err)
	}
	return names
}

// TestDocumentsNameWhatIsThere: no page names a flag, a command or a route of the server that is gone.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	program := newProgram(terminal{})
	program.InitDefaultHelpCmd()
	program.InitDefaultCompletionCmd()
	flags, commands := append([]string{"help", "version"}, foreignFlags...), []string{"COMMAND"}
	for _, command := range program.Commands() {
		commands = append(commands, command.Name())
		command.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	}
	program.PersistentFlags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	server := must.Get(mockserver.New(mockserver.Options{Profiles: 1, StartAt: noon}))(t)
	defer server.Close()
	document := must.Get(server.OpenAPINamed("full", "http://localhost"))(t)
	var routes []*regexp.Regexp
	for _, found := range regexp.MustCompile(`"(/_mock/[^"]*)":`).FindAllStringSubmatch(string(document), -1) {
		routes = append(routes, regexp.MustCompile("^"+regexp.MustCompile(`\\\{[^/]*\\\}`).ReplaceAllString(regexp.QuoteMeta(found[1]), "[^/]+")+"$"))
	}
	for _, name := range documents(t) {
		content := must.Get(os.ReadFile(name))(t)
		text := string(content)
		for _, found := range regexp.MustCompile("(?:^|[\\s`'\"(\\[])--([a-z][a-z-]*[a-z])").FindAllStringSubmatch(text, -1) {
			if !slices.Contains(flags, found[1]) {
				t.Errorf("%s names --%s, which no command has", name, found[1])
			}
		}
		for _, found := range regexp.MustCompile("(?m)(?:^|`)(?:build/)?mockserver ([a-z]+)\\b").FindAllStringSubmatch(text, -1) {
			if !slices.Contains(commands, found[1]) {
				t.Errorf("%s names the command %s, which is none", name, found[1])
			}
		}
		for _, found := range regexp.MustCompile(`/_mock/[a-z][a-z/-]*[a-z]`).FindAllString(text, -1) {
			if !slices.ContainsFunc(routes, func(route *regexp.Regexp) bool { return route.MatchString(found) }) {
				t.Errorf("%s names %s, which is no route", name, found)
			}
		}
	}
}
