// Package settings is how values get into flags: from the command line, and where that says nothing from the environment, and where that
// says nothing either from the file of --config. What is left has its default.
package settings

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
)

const (
	configUsage = "read settings from the YAML or JSON file `FILE`; the command line and the environment take precedence. Repeatable: a " +
		"later file wins per setting, and that of REHEARSAL_CONFIG comes first"
	printConfigUsage = "print every setting with its value and origin, in the form of a file for --config, and exit"

	// originKey is the annotation of a flag that says where its value comes from.
	originKey = "origin"
	// severalKey is the annotation of a flag that may be given several times.
	severalKey = "several"
)

// ErrPrinted ends a command that was only asked for its settings.
var ErrPrinted = errors.New("the settings were printed")

// Add lets the commands of a program be set by environment and file.
func Add(program *cobra.Command, environment func(name string) string, out io.Writer) {
	flags := program.PersistentFlags()
	flags.StringArray("config", nil, configUsage)
	annotate(flags.Lookup("config"), severalKey, "true")
	flags.Bool("print-config", false, printConfigUsage)
	_ = program.MarkPersistentFlagFilename("config", "yaml", "yml", "json")
	program.PersistentPreRunE = func(command *cobra.Command, arguments []string) error {
		if err := settle(command, environment); err != nil {
			return err
		}
		if only, _ := flags.GetBool("print-config"); only {
			// Cobra would call what checks the values only afterwards.
			if command.PreRunE != nil {
				if err := command.PreRunE(command, arguments); err != nil {
					return err
				}
			}
			write(out, command)
			return ErrPrinted
		}
		return nil
	}
}

// settle sets the flags that the command line does not set.
// See docs/decisions/server.md#what-is-the-precedence-of-flags-environment-and-configuration-file
func settle(command *cobra.Command, environment func(name string) string) error {
	endParsing(command)
	names, err := command.Flags().GetStringArray("config")
	if err != nil {
		return err
	}
	given := file{}
	for _, name := range append([]string{environment("REHEARSAL_CONFIG")}, names...) {
		if name == "" {
			continue
		}
		if err := given.read(name, command.Root()); err != nil {
			return err
		}
	}
	var wrong error
	Each(command, func(f *pflag.Flag) {
		if wrong != nil {
			return
		}
		if block, is := f.Value.(*Block); is {
			if err := block.settle(environment, given.all(command.Name(), f.Name)); err != nil {
				wrong = usage.Errorf("--%s: %v", f.Name, err)
			}
			return
		}
		variable := Variable(f.Name)
		value := environment(variable)
		switch in, found := given.of(command.Name(), f.Name); {
		case f.Changed:
			setOrigin(f, "--"+f.Name)
		case value != "" && !isServiceLink(f.Name, value):
			values := []string{value}
			if f.Annotations[severalKey] != nil {
				values = strings.Split(value, ",")
			}
			wrong = setFrom(command, f, variable, values)
		case found:
			values, err := in.values(f.Annotations[severalKey] != nil)
			if err != nil {
				wrong = usage.Errorf("--config: %s: %s %v", in.place, f.Name, err)
				return
			}
			wrong = setFrom(command, f, in.place, beside(in.file, f, values))
		}
		if wrong == nil && f.Changed {
			wrong = checkValue(f)
		}
	})
	return wrong
}

// setFrom sets a flag and notes where its value comes from.
func setFrom(command *cobra.Command, f *pflag.Flag, origin string, values []string) error {
	for _, value := range values {
		if err := command.Flags().Set(f.Name, value); err != nil {
			return usage.Errorf("%s: %v", origin, ExplainFlag(command, err))
		}
	}
	setOrigin(f, origin)
	return nil
}

// Preset sets flags that were set nowhere else.
func Preset(command *cobra.Command, origin string, values map[string]string) error {
	for name, value := range values {
		if f := command.Flags().Lookup(name); Origin(f) == "default" {
			if err := setFrom(command, f, origin, []string{value}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Each calls visit for the flags that environment and file may set.
func Each(command *cobra.Command, visit func(*pflag.Flag)) {
	command.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != "version" {
			visit(f)
		}
	})
}

// Has reports whether a command has flags that environment and file may set.
func Has(command *cobra.Command) (found bool) {
	Each(command, func(*pflag.Flag) { found = true })
	return found
}

// Variable is the environment variable that sets a flag.
func Variable(name string) string {
	return "REHEARSAL_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// isServiceLink reports whether a variable is not meant for this program: beside a service that is named rehearsal, Kubernetes sets
// REHEARSAL_PORT to an address such as tcp://10.0.0.1:8080. See
// docs/decisions/server.md#why-is-an-unknown-name-an-error-in-the-file-and-not-in-the-environment
func isServiceLink(name, value string) bool {
	return name == "port" && strings.HasPrefix(value, "tcp://")
}

func setOrigin(f *pflag.Flag, origin string) { annotate(f, originKey, origin) }

func annotate(f *pflag.Flag, key string, values ...string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[key] = values
}

// Rank orders the places where a value can come from: the higher wins.
func Rank(f *pflag.Flag) int {
	switch origin := Origin(f); {
	case origin == "default":
		return 0
	case strings.HasPrefix(origin, "--"):
		return 3
	case origin == Variable(f.Name):
		return 2
	}
	return 1
}

// Origin is where the value of a flag comes from.
func Origin(f *pflag.Flag) string {
	if origin := f.Annotations[originKey]; len(origin) > 0 {
		return origin[0]
	}
	return "default"
}

// AddOrigins says of the flags in a message where they were set, if that was not on the command line.
func AddOrigins(message string, command *cobra.Command) string {
	words := strings.FieldsFunc(message, func(char rune) bool { return char != '-' && (char < 'a' || char > 'z') })
	Each(command, func(f *pflag.Flag) {
		origin := Origin(f)
		if f.Changed && origin != "default" && !strings.HasPrefix(origin, "--") && slices.Contains(words, "--"+f.Name) &&
			!strings.Contains(message, origin) {
			message += fmt.Sprintf("; --%s was set by %s", f.Name, origin)
		}
	})
	return message
}

// shown is the value of a flag as it may be shown to everybody who sees the terminal.
func shown(f *pflag.Flag) (value string, visible bool) {
	value = f.Value.String()
	switch {
	case f.Value.Type() == "secret":
		return "", value == ""
	case f.Name == "state":
		public := state.Name(value)
		return public, public == value
	}
	return value, true
}

// write writes every flag as a line of a file for --config, with where its value comes from. A line without a value is a comment.
func write(out io.Writer, command *cobra.Command) {
	fmt.Fprintf(out, "# mockserver %s: flags, then the environment, then the file of --config, then defaults\n", command.Name())
	Each(command, func(f *pflag.Flag) {
		if block, is := f.Value.(*Block); is {
			lines, set := block.lines()
			mark := "# "
			if set {
				mark = ""
			}
			fmt.Fprintf(out, "%s%s:\n", mark, f.Name)
			for _, line := range lines {
				fmt.Fprintf(out, "%-48s # %s\n", "  "+line[0], line[1])
			}
			return
		}
		value, visible := shown(f)
		line := f.Name + ": " + yamlText(f, value)
		switch {
		case !visible:
			line = strings.TrimSuffix("# "+f.Name+": (not shown) "+value, " ")
		case !f.Changed && value == "":
			line = "# " + f.Name + ":"
		case !f.Changed:
			line = "# " + line
		}
		fmt.Fprintf(out, "%-48s # %s\n", line, Origin(f))
	})
}
