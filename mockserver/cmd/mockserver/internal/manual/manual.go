// Package manual writes manual pages: a page for a command, from what its help says.
// See docs/decisions/server.md#why-are-pages-not-filled-by-htmltemplate
package manual

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Manual is what the pages of a program have in common.
type Manual struct {
	Version string // of the program
	Date    time.Time
	// Sections stand on the page of each command, behind what it does.
	Sections []Section
}

// Section is a part of a page.
type Section struct{ Title, Text string }

// Write writes a page for the program and one for each of its commands.
func (m Manual) Write(directory string, program *cobra.Command) error {
	for _, command := range append(shown(program), program) {
		command.InitDefaultHelpFlag()
		name := strings.ReplaceAll(command.CommandPath(), " ", "-")
		if err := os.WriteFile(filepath.Join(directory, name+".1"), []byte(m.page(name, command)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// shown are the commands that have pages.
func shown(program *cobra.Command) (commands []*cobra.Command) {
	for _, command := range program.Commands() {
		if command.IsAvailableCommand() {
			commands = append(commands, command)
		}
	}
	return commands
}

func (m Manual) page(name string, command *cobra.Command) string {
	var p page
	fmt.Fprintf(&p, ".nh\n.TH %q \"1\" %q %q \"Rehearsal\"\n", strings.ToUpper(name), m.Date.Format("Jan 2006"), "mockserver "+m.Version)
	p.section("NAME")
	fmt.Fprintf(&p, "%s \\- %s\n", plain(name), plain(command.Short))
	p.section("SYNOPSIS")
	fmt.Fprintf(&p, "%s\n", bold(command.UseLine()))
	p.section("DESCRIPTION")
	p.text(withoutUse(command))
	if command.HasParent() {
		for _, each := range m.Sections {
			p.section(each.Title)
			p.text(each.Text)
		}
	}
	p.flags("OPTIONS", command.NonInheritedFlags())
	p.flags("OPTIONS OF EVERY COMMAND", command.InheritedFlags())
	p.section("SEE ALSO")
	var others []string
	if command.HasParent() {
		others = append(others, bold(command.Parent().Name()+"(1)"))
	}
	for _, other := range shown(command) {
		others = append(others, bold(name+"-"+other.Name()+"(1)"))
	}
	fmt.Fprintf(&p, "%s\n", strings.Join(others, ", "))
	return p.String()
}

// withoutUse is the help of a command without the line that shows its use, which
// has a section of its own.
func withoutUse(command *cobra.Command) string {
	text := strings.TrimPrefix(command.Long, "usage: "+command.CommandPath())
	if text != command.Long {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// page is the text of a page, in the language of man.
type page struct{ strings.Builder }

func (p *page) section(title string) { fmt.Fprintf(p, "\n.SH %s\n", title) }

// text writes paragraphs. What is indented stays as it is.
func (p *page) text(text string) {
	asItIs, apart := false, false
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, " \n")
		indented := strings.HasPrefix(line, "  ")
		switch {
		case line == "":
			apart = true
			continue
		case indented && !asItIs:
			p.WriteString(".PP\n.EX\n")
		case !indented && asItIs:
			p.WriteString(".EE\n.PP\n")
		case apart && asItIs:
			p.WriteString("\n")
		case apart:
			p.WriteString(".PP\n")
		}
		asItIs, apart = indented, false
		fmt.Fprintf(p, "%s\n", plain(strings.TrimPrefix(line, "  ")))
	}
	if asItIs {
		p.WriteString(".EE\n")
	}
}

func (p *page) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.section(title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		p.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(p, "%s, ", bold("-"+f.Shorthand))
		}
		p.WriteString(bold("--" + f.Name))
		if value != "" {
			fmt.Fprintf(p, " \\fI%s\\fR", plain(value))
		}
		if f.DefValue != "" && f.DefValue != "false" && !strings.Contains(usage, "(default ") {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(p, "\n%s\n", plain(usage))
	})
}

func bold(text string) string { return `\fB` + plain(text) + `\fR` }

// plain is a text without what means something to man: hyphens are those that people copy.
func plain(text string) string {
	text = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
