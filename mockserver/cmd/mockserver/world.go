package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/simulation"
)

// worldSchema describes the keys of --world.
const worldSchema = "mock/world.json"

// worldFlags are the flags of the synthetic population; serve and generate share them.
type worldFlags struct {
	block    *settings.Block
	seed     uint64
	profiles int64
	settings mockserver.World
	arrival  string
}

func (w *worldFlags) define(flags *pflag.FlagSet) {
	w.block = settings.AddBlock(flags, "world", worldSchema, "shape the population by `SETTING`: KEY=VALUE, such as push-opt-in=0.7, or a YAML or JSON file of such keys, as import --world writes it. Repeatable: a later one wins per key", true)
	flags.Uint64Var(&w.seed, "seed", 0, "generate the population from seed `N`: the same seed gives the same profiles and files on any machine")
	flags.Int64Var(&w.profiles, "profiles", mockserver.DefaultProfiles, "set the final size of the population to `N` profiles, which is reached over years")
	settings.AtLeast(flags, "seed", 0)
	settings.Between(flags, "profiles", 1, mockserver.MaxProfiles)
}

// read takes the values out of the flags. --seed and --profiles come before the keys of their names.
func (w *worldFlags) read(command *cobra.Command) error {
	var of struct {
		Seed     *uint64
		Profiles *int64
		Arrival  string
	}
	if err := errors.Join(w.block.Decode(&of), w.block.Decode(&w.settings)); err != nil {
		return usage.Errorf("--world: %v", err)
	}
	if of.Seed != nil && settings.Rank(command.Flags().Lookup("seed")) == 0 {
		w.seed = *of.Seed
	}
	if of.Profiles != nil && settings.Rank(command.Flags().Lookup("profiles")) == 0 {
		w.profiles = *of.Profiles
	}
	w.arrival = of.Arrival
	if w.arrival != "" {
		if _, err := arrival.Parse(w.arrival); err != nil {
			return usage.Errorf("--world arrival: %v", err)
		}
	}
	if w.profiles < 1 || w.profiles > mockserver.MaxProfiles {
		return usage.Errorf("--profiles is %d; it must be from 1 to %d", w.profiles, mockserver.MaxProfiles)
	}
	return worldMisuse(w.settings.Check())
}

// worldMisuse names the key of what is wrong with a world.
func worldMisuse(err error) error {
	var wrong *simulation.SettingsError
	switch {
	case !errors.As(err, &wrong):
		return err
	case wrong.Event != "":
		return usage.Errorf("--world %s.%s %s", wrong.Key, wrong.Event, wrong.Reason)
	}
	return usage.Errorf("--world %s %s", wrong.Key, wrong.Reason)
}
