package settings

import (
	"errors"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// linkPattern is what Kubernetes calls the variables for services whose names begin with rehearsal.
const linkPattern = `^REHEARSAL_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_.+)?)$`

// Stray is a variable of the environment that looks as if it were a setting, and is none.
type Stray struct {
	Name   string
	Likely string // the variable that was probably meant, or empty
}

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
		for _, stray := range Strays(program, variables()) {
			attributes := []any{"variable", stray.Name}
			if stray.Likely != "" {
				attributes = append(attributes, "did_you_mean", stray.Likely)
			}
			logger.Warn("no setting has this variable of the environment, so it changes nothing", attributes...)
		}
		return err
	}
}

// Strays finds them among variables, each NAME=VALUE. The packages for other languages, the template for GitLab and
// the tests of the actions have variables of their own.
func Strays(program *cobra.Command, variables []string) (strays []Stray) {
	settings := map[string]bool{Variable("config"): true}
	for _, command := range program.Commands() {
		Each(command, func(f *pflag.Flag) {
			settings[Variable(f.Name)] = true
			if block, is := f.Value.(*Block); is {
				for _, key := range block.Keys() {
					settings[block.Variable(key)] = true
				}
			}
		})
	}
	names := slices.Sorted(maps.Keys(settings))
	others := []string{"REHEARSAL_BINARY", "REHEARSAL_FLAGS", "REHEARSAL_RELEASES", "REHEARSAL_SERVE", "REHEARSAL_VECTORS", "REHEARSAL_VERSION"}
	links := regexp.MustCompile(linkPattern)
	for _, variable := range slices.Sorted(slices.Values(variables)) {
		name, value, _ := strings.Cut(variable, "=")
		switch {
		case !strings.HasPrefix(name, "REHEARSAL_") || value == "" || settings[name] || slices.Contains(others, name):
		case links.MatchString(name) || strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://"):
		default:
			strays = append(strays, Stray{name, schemas.Likely(name, names)})
		}
	}
	return strays
}
