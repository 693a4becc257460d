package settings

import (
	"errors"
	"iter"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// linkPattern is what Kubernetes calls the variables for services whose names begin with rehearsal.
const linkPattern = `^REHEARSAL_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_.+)?)$`

// WarnOfStrays lets every command with flags say in its log which variables of the environment, NAME=VALUE each, change nothing.
// It follows [Add]; open makes a log in the format text or json.
// See docs/decisions/server.md#why-is-an-unknown-name-an-error-in-the-file-and-not-in-the-environment
func WarnOfStrays(program *cobra.Command, variables func() []string, open func(format string, least slog.Level) *slog.Logger) {
	settle := program.PersistentPreRunE
	program.PersistentPreRunE = func(command *cobra.Command, arguments []string) error {
		err := settle(command, arguments)
		if err != nil && !errors.Is(err, ErrPrinted) || variables == nil || !Has(command) { // completions of a shell have no flags
			return err
		}
		format, least := "text", slog.LevelInfo
		if f := command.Flags().Lookup("log-format"); f != nil {
			format = f.Value.String()
		}
		if f := command.Flags().Lookup("log-level"); f != nil {
			_ = least.UnmarshalText([]byte(f.Value.String())) // the flag has read it
		}
		logger := open(format, least)
		for name, likely := range strays(program, variables()) {
			attributes := []any{"variable", name}
			if likely != "" {
				attributes = append(attributes, "did_you_mean", likely)
			}
			logger.Warn("no setting has this variable of the environment, so it changes nothing", attributes...)
		}
		return err
	}
}

// strays finds them among variables, each NAME=VALUE, with the variable that was probably meant. The packages for other
// languages, the template for GitLab and the tests of the actions have variables of their own.
func strays(program *cobra.Command, variables []string) iter.Seq2[string, string] {
	known := []string{Variable("config")}
	for _, command := range program.Commands() {
		Each(command, func(f *pflag.Flag) {
			known = append(known, Variable(f.Name))
			if block, is := f.Value.(*Block); is {
				for _, key := range block.Keys() {
					known = append(known, block.Variable(key))
				}
			}
		})
	}
	others := []string{"REHEARSAL_BINARY", "REHEARSAL_FLAGS", "REHEARSAL_RELEASES", "REHEARSAL_SERVE", "REHEARSAL_VECTORS",
		"REHEARSAL_VERSION"}
	links := regexp.MustCompile(linkPattern)
	return func(yield func(name, likely string) bool) {
		for _, variable := range slices.Sorted(slices.Values(variables)) {
			name, value, _ := strings.Cut(variable, "=")
			switch {
			case !strings.HasPrefix(name, "REHEARSAL_") || value == "" || slices.Contains(known, name) || slices.Contains(others, name):
			case links.MatchString(name) || strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://"):
			case !yield(name, schemas.Likely(name, known)):
				return
			}
		}
	}
}
