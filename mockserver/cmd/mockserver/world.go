package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// worldSchema describes the keys of --world.
const worldSchema = "mock/world.json"

// defineWorld adds the flags of the synthetic population, which serve and generate share.
func defineWorld(flags *pflag.FlagSet, o *mockserver.Options) *settings.Block {
	block := settings.AddBlock(flags, "world", worldSchema,
		"shape the population by `SETTING`: KEY=VALUE, or a YAML or JSON file of keys. Repeatable", true)
	flags.Uint64Var(&o.Seed, "seed", 0, "generate the population from seed `N`: the same seed gives the same files on any machine")
	flags.Int64Var(&o.Profiles, "profiles", mockserver.DefaultProfiles,
		"set the final size of the population to `N` profiles, which is reached over years")
	settings.AtLeast(flags, "seed", 0)
	settings.Between(flags, "profiles", 1, mockserver.MaxProfiles)
	return block
}

// readWorld takes the values out of the keys. --seed and --profiles come before the keys of their names.
func readWorld(command *cobra.Command, block *settings.Block, o *mockserver.Options) error {
	var of struct {
		Seed     *uint64
		Profiles *int64
		Arrival  string
	}
	if err := errors.Join(block.Decode(&of), block.Decode(&o.World)); err != nil {
		return usage.Errorf("--world: %v", err)
	}
	if of.Seed != nil && settings.Rank(command.Flags().Lookup("seed")) == 0 {
		o.Seed = *of.Seed
	}
	if of.Profiles != nil && settings.Rank(command.Flags().Lookup("profiles")) == 0 {
		o.Profiles = *of.Profiles
	}
	o.Arrival = of.Arrival
	return nil
}
