package settings

import (
	"errors"
	"fmt"
	"math"
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
		var keys error
		command.Flags().VisitAll(func(f *pflag.Flag) {
			if block, is := f.Value.(*Block); is && slices.Contains(block.Keys(), unknown.GetSpecifiedName()) {
				keys = usage.Errorf("there is no flag %s; it is a key: --%s %s=VALUE", name, f.Name, unknown.GetSpecifiedName())
			}
		})
		if keys != nil {
			return keys
		}
		return usage.Errorf("there is no flag %s%s", name, usage.Suggestion(name, names))
	case errors.As(err, &invalid):
		var twice *repeatedError
		if errors.As(invalid.Unwrap(), &twice) {
			return usage.Errorf("--%s %v", invalid.GetFlag().Name, twice)
		}
		return usage.Errorf("invalid value %q for flag --%s: %v", invalid.GetValue(), invalid.GetFlag().Name, allowed(invalid))
	}
	return usage.Errorf("%v", err)
}

// allowed says what a flag may be, where the package that reads it only says that it cannot.
func allowed(invalid *pflag.InvalidValueError) error {
	f := invalid.GetFlag()
	if words := f.Annotations[enumKey]; words != nil {
		return fmt.Errorf("must be %s or %s", strings.Join(words[:len(words)-1], ", "), words[len(words)-1])
	}
	low, high := f.Annotations[minimumKey], f.Annotations[maximumKey]
	bounds := ""
	switch {
	case low != nil && high != nil:
		bounds = " from " + low[0] + " to " + high[0]
	case f.Value.Type() == "uint64":
		bounds = fmt.Sprintf(" from 0 to %d", uint64(math.MaxUint64))
	case low != nil:
		bounds = " of at least " + low[0]
	}
	switch f.Value.Type() {
	case "int", "int64", "uint64":
		return errors.New("must be a whole number" + bounds)
	case "float64":
		return errors.New("must be a number" + bounds)
	case "bool":
		return errors.New("must be true or false")
	case "duration":
		return errors.New("must be a duration such as 30s, 5m or 1h30m")
	}
	return invalid.Unwrap()
}
