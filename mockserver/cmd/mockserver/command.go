package main

import (
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// newCommand is a command without flags: the line that shows how it is used begins with its name.
func newCommand(line, summary, help string) *cobra.Command {
	name, _, _ := strings.Cut(line, " ")
	takesFlags := func(_ *cobra.Command, arguments []string) error {
		if len(arguments) > 0 && strings.HasSuffix(line, "[flags]") {
			return usage.Errorf("unexpected argument %q; %s takes only flags", arguments[0], name)
		}
		return nil
	}
	return &cobra.Command{Use: line, Short: summary, Long: help, DisableFlagsInUseLine: true, Args: takesFlags}
}

// judgesKey marks the commands whose exit code says what they found in files: exitFailed is theirs for faults, and exitUnread for all
// that kept them from looking.
const judgesKey = "judges"

func judge(command *cobra.Command) { command.Annotations = map[string]string{judgesKey: "true"} }

// terminal is what a command may use of the machine.
type terminal struct {
	in          io.Reader
	out, err    io.Writer
	environment func(name string) string
	variables   func() []string // NAME=VALUE each; nil for none
	now         func() time.Time
	ticks       func() <-chan time.Time // when --watch looks at its files
	arguments   []string
}
