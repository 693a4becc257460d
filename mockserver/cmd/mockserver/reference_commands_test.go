package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
)

// commandsPage describes every command with its flags.
func commandsPage(t *testing.T) string {
	d := newDocument("Commands", "the commands and their flags")
	d.text("This page lists every command with its flags, as `--help` prints them, the variables and the exit codes. A flag can be set on the command line, in the [environment](#environment) or in a file; see " +
		"[Configure the program](../how-to/configure.md). The defaults are those without any of these.")
	program := newProgram(terminal{})
	for _, command := range program.Commands() {
		d.heading(2, command.Name())
		help, rest, _ := strings.Cut(strings.TrimSpace(command.Long), "\n")
		d.text("```text\n%s\n```", strings.TrimPrefix(help, "usage: "))
		d.text("%s", manualMarkdown(rest))
		d.table([]string{"`mockserver " + command.Name() + "`", "default", "what it does"}, settingRows(command))
		if command.Name() == "serve" {
			blockTables(d, command)
		}
	}
	d.heading(2, "completion")
	d.text("```text\nmockserver completion bash|zsh|fish|powershell\n```")
	d.text("Prints a completion script for a shell: `source <(mockserver completion bash)`.")
	d.heading(2, "Flags of every command")
	var rows [][]string
	program.PersistentFlags().VisitAll(func(f *pflag.Flag) { rows = append(rows, settingRow(f)) })
	d.table([]string{"flag", "default", "what it does"}, rows)
	d.environment()
	d.heading(2, "Exit codes")
	d.table([]string{"code", "meaning"}, [][]string{
		{code(strconv.Itoa(exitOK)), "success; `validate` and `check` found nothing, the server of `health` is ready"},
		{code(strconv.Itoa(exitFailed)), "`validate` and `check` found something; any other command failed"},
		{code(strconv.Itoa(exitUsage)), "the command line, the environment or the configuration file is wrong"},
		{code(strconv.Itoa(exitUnread)), "`validate` and `check` could not read a file, a schema or the configuration, or were interrupted: nothing is said about the files"},
		{"`130`, `143`", "a second SIGINT or SIGTERM ended the program at once; the first, and a SIGHUP, let it finish: `serve` ends with 0, and any other command says what it has left"},
	})
	return d.String()
}

// manualMarkdown is the help of a command as Markdown: what is indented is shown as it is.
func manualMarkdown(help string) string {
	var lines []string
	fenced := false
	for line := range strings.Lines(strings.TrimSpace(help)) {
		line = strings.TrimRight(line, "\n")
		switch indented := strings.HasPrefix(line, "  "); {
		case indented && !fenced:
			language := "text"
			if strings.HasPrefix(strings.TrimSpace(line), "{") {
				language = "json"
			}
			lines, fenced = append(lines, "", "```"+language), true
		case !indented && fenced:
			lines, fenced = append(lines, "```"), false
		}
		lines = append(lines, line)
	}
	if fenced {
		lines = append(lines, "```")
	}
	return strings.Join(lines, "\n")
}

// settingRows are the flags of a command, in the order of its help.
func settingRows(command *cobra.Command) (rows [][]string) {
	settings.Each(command, func(f *pflag.Flag) { rows = append(rows, settingRow(f)) })
	return rows
}

// blockTables are the keys of flags that have some.
func blockTables(d *document, command *cobra.Command) {
	settings.Each(command, func(f *pflag.Flag) {
		block, is := f.Value.(*settings.Block)
		if !is {
			return
		}
		var rows [][]string
		for _, key := range block.Described() {
			standard := ""
			if key.Default != nil {
				standard = code(fmt.Sprint(key.Default))
			}
			rows = append(rows, []string{code(key.Name), standard, key.About})
		}
		d.table([]string{"key of `--" + f.Name + "`", "default", "what it sets"}, rows)
	})
}

// settingRow is one flag: its name, its default, what it does.
func settingRow(f *pflag.Flag) []string {
	placeholder, about := pflag.UnquoteUsage(f)
	about, standard, _ := strings.Cut(about, " (default ")
	standard = strings.TrimSuffix(standard, ")")
	if standard == "" && f.DefValue != "false" {
		standard = code(f.DefValue)
	} else if standard != "" && !strings.Contains(standard, " ") {
		standard = code(standard)
	}
	if placeholder != "" {
		for _, name := range strings.FieldsFunc(placeholder, func(r rune) bool { return r == ' ' }) {
			about = strings.Replace(about, name, code(name), 1)
		}
	}
	return []string{code("--" + f.Name), standard, about}
}

// environment describes the variables that the program reads.
func (d *document) environment() {
	d.heading(2, "Environment")
	d.text("A flag that the command line does not set takes its value from the environment, and then from the file of `--config`. The name of the variable is `REHEARSAL_` and the name of the flag in " +
		"upper case, with underscores: `REHEARSAL_LOG_LEVEL` sets `--log-level`, and `REHEARSAL_WORLD_PUSH_OPT_IN` the key `push-opt-in` of `--world`. An empty variable counts as unset. A repeatable flag takes a list separated by commas. " +
		"An unknown variable that begins with `REHEARSAL_` is a warning in the log, with a suggestion. " +
		"`REHEARSAL_PORT` is ignored when it begins with `tcp://`, as Kubernetes sets it beside a service named rehearsal.")
	d.table([]string{"variable", "meaning"}, [][]string{
		{"`REHEARSAL_CONFIG`", "`--config` of all commands"},
		{"`REHEARSAL_BINARY`", "another program for the packages of npm and Python"},
		{"`REHEARSAL_FLAGS`", "flags for the server of JUnit"},
		{"`REHEARSAL_VERSION`, `REHEARSAL_SERVE`, `REHEARSAL_RELEASES`", "settings of the template for GitLab"},
		{"`REHEARSAL_VECTORS`", "more vectors for the tests of the actions"},
		{"`PGPASSWORD`, `PGPASSFILE` and others of libpq", "the connection to a PostgreSQL `--state`, where the address leaves something out"},
		{"`GOMAXPROCS`", "the number of processors in use; on a machine with one, `serve` sets 2 unless it is given"},
		{"`GOGC`", "how often memory is collected; `serve` sets 200 unless it is given"},
	})
}
