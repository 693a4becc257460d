package settings

import (
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
)

// secretValue is the value of a flag that is never printed.
type secretValue struct {
	text *secret.Text
	set  func(text string) error // refuses; nil takes all
}

// Secret adds a flag for a key, a token or a password.
func Secret(flags *pflag.FlagSet, into *secret.Text, name, usage string, check func(text string) error) {
	flags.Var(&secretValue{into, check}, name, usage)
}

func (v *secretValue) String() string {
	if v.text == nil {
		return ""
	}
	return v.text.String()
}

func (v *secretValue) Type() string { return "secret" }

func (v *secretValue) Set(text string) error {
	if v.set != nil {
		if err := v.set(text); err != nil {
			return err
		}
	}
	*v.text = secret.Text(text)
	return nil
}
