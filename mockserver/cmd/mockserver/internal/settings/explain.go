package settings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// ExplainFlag turns what is wrong with flags into a usage.Error that suggests what was probably meant.
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
		return errors.New("must be " + usage.Either(words))
	}
	bounds := boundsOf(f)
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

// boundsOf says between which numbers a flag is.
func boundsOf(f *pflag.Flag) string {
	low, high := f.Annotations[minimumKey], f.Annotations[maximumKey]
	switch {
	case low != nil && high != nil:
		return " from " + low[0] + " to " + high[0]
	case f.Value.Type() == "uint64":
		return fmt.Sprintf(" from 0 to %d", uint64(math.MaxUint64))
	case low != nil:
		return " of at least " + low[0]
	}
	return ""
}

// checkValue refuses a word that is not one of those of a flag, and a number out of bounds.
func checkValue(f *pflag.Flag) error {
	value := f.Value.String()
	if words := f.Annotations[enumKey]; words != nil && !slices.Contains(words, value) {
		return usage.Errorf("--%s is %q%s; it must be %s", f.Name, value, usage.Suggestion(value, words), usage.Either(words))
	}
	number, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return nil // no number, or one that has no bounds
	}
	for key, outside := range map[string]func(bound int64) bool{
		minimumKey: func(bound int64) bool { return number < bound }, maximumKey: func(bound int64) bool { return number > bound },
	} {
		if bound := f.Annotations[key]; len(bound) > 0 {
			if limit, err := strconv.ParseInt(bound[0], 10, 64); err == nil && outside(limit) {
				return usage.Errorf("--%s is %s; it must be%s", f.Name, value, strings.TrimPrefix(boundsOf(f), " of"))
			}
		}
	}
	return nil
}
