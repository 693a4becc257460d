package settings

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// once is a value that the command line may give one time.
type once struct {
	pflag.Value
	given   []string
	settled bool // the command line was read
}

// repeatedError says that a flag was given twice.
type repeatedError struct{ first, second string }

func (e *repeatedError) Error() string {
	return fmt.Sprintf("is given twice, as %q and %q; it takes one value", e.first, e.second)
}

func (o *once) Set(text string) error {
	if !o.settled {
		if o.given = append(o.given, text); len(o.given) > 1 {
			return &repeatedError{o.given[0], text}
		}
	}
	return o.Value.Set(text)
}

// unwrapped is the value of a flag.
func unwrapped(f *pflag.Flag) pflag.Value {
	if o, is := f.Value.(*once); is {
		return o.Value
	}
	return f.Value
}

// Once lets the command line give each flag one time, but for those that add up.
func Once(program *cobra.Command) {
	for _, command := range append(program.Commands(), program) {
		for _, flags := range []*pflag.FlagSet{command.Flags(), command.PersistentFlags()} {
			flags.VisitAll(func(f *pflag.Flag) {
				if _, is := f.Value.(*once); !is && f.Annotations[severalKey] == nil {
					f.Value = &once{Value: f.Value}
				}
			})
		}
	}
}

// endParsing lets other places set flags again.
func endParsing(command *cobra.Command) {
	command.Flags().VisitAll(func(f *pflag.Flag) {
		if o, is := f.Value.(*once); is {
			o.settled = true
		}
	})
}
