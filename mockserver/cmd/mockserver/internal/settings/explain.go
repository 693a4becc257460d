package settings

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// ExplainFlag turns what is wrong with flags into a usage.Error that suggests
// what was probably meant.
func ExplainFlag(command *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		command.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			name, _, _ := strings.Cut("--"+letters, "=")
			likely := usage.Suggestion(name, names)
			if slices.Contains(names, name) {
				likely = ", did you mean " + name + "?"
			}
			return usage.Errorf("there is no flag -%s; flags begin with two dashes%s", strings.TrimPrefix(name, "--"), likely)
		}
		name := "--" + unknown.GetSpecifiedName()
		return usage.Errorf("there is no flag %s%s", name, usage.Suggestion(name, names))
	case errors.As(err, &invalid):
		return usage.Errorf("invalid value %q for flag --%s: %v", invalid.GetValue(), invalid.GetFlag().Name, invalid.Unwrap())
	}
	return usage.Errorf("%v", err)
}
