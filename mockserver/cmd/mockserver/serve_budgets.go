package main

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
)

// budgetFlags are the flags that limit what the server may use.
func budgetFlags(flags *pflag.FlagSet, limits *mockserver.Budgets) {
	for _, definition := range budget.Definitions() {
		usage := definition.Usage
		if definition.Name != budget.Render {
			usage += " (default " + definition.Text(definition.Default) + ")"
		}
		settings.Func(flags, definition.Flag, usage, func(text string) (err error) {
			limit := definition.Of(limits)
			if definition.Unit == budget.Bytes {
				*limit, err = budget.ParseBytes(text)
			} else if *limit, err = strconv.ParseInt(text, 10, 64); err != nil {
				err = errors.New("must be a whole number")
			}
			if err == nil {
				err = definition.Check(*limit)
			}
			return err
		})
	}
}
