package main

import (
	"errors"
	"strconv"
	"time"

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
			switch definition.Unit {
			case budget.Bytes:
				*limit, err = budget.ParseBytes(text)
			case budget.Duration:
				var duration time.Duration
				if duration, err = time.ParseDuration(text); err != nil {
					err = errors.New("must be a duration, such as 30s or 10m")
				}
				*limit = int64(duration)
			default:
				if *limit, err = strconv.ParseInt(text, 10, 64); err != nil {
					err = errors.New("must be a whole number")
				}
			}
			if err == nil {
				err = definition.Check(*limit)
			}
			return err
		})
		if definition.Unit != budget.Duration {
			settings.Whole(flags, definition.Flag, definition.Low, definition.High)
		}
		if definition.Unit == budget.Bytes {
			settings.Matching(flags, definition.Flag, settings.SizePattern)
		}
	}
}
