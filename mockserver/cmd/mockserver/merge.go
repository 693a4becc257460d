package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
)

const mergeHelp = `usage: mockserver merge [flags] SHARD...

Puts the shards of a file together that "mockserver generate --shard" made, given in any
order. The file has the same bytes as one that was made in one run. It holds no more
than a row of each shard in memory.
`

func mergeCommand(t terminal) *cobra.Command {
	command := newCommand("merge [flags] SHARD...", "put the shards of a file together", mergeHelp)
	out := command.Flags().String("out", "-", "write to `FILE`; - is standard output")
	command.PreRunE = func(_ *cobra.Command, shards []string) error {
		if len(shards) == 0 {
			return usage.Errorf("name the shards of a file, as generate --shard made them")
		}
		return nil
	}
	command.RunE = func(command *cobra.Command, shards []string) error {
		ctx := command.Context()
		return interrupted(ctx, merge(ctx, shards, *out, t), "nothing was written")
	}
	return command
}

func merge(ctx context.Context, names []string, out string, t terminal) error {
	shards := map[string]io.Reader{}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		shards[name] = file
	}
	return writeOut(ctx, out, func(to io.Writer) error { return rows.Merge(ctx, to, shards) }, t)
}
