package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// today is when the clocks of the measurements begin, and yesterday a day before.
const (
	today     = "2025-09-20T12:00:00Z"
	yesterday = "2025-09-19T12:00:00Z"
)

// measureFiles writes files of every kind with the program, and prints the processor time: that of other programs has no part in it.
func measureFiles(ctx context.Context, out io.Writer, p programs, s settings) error {
	library, err := schemas.Embedded()
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\nfiles, processor time\tpeople\trows\tseconds\tus a row")
	for _, export := range library.Exports() {
		if err := s.generate(ctx, out, p, file{kind: export.Kind, people: 10_000, aim: aimKind}); err != nil {
			return err
		}
	}
	for _, each := range []file{
		{kind: "userbase", aim: aimSnapshot, aimOfRow: aimSnapshotRow}, {kind: "profiles.attributes", aimOfRow: aimSnapshotRow},
		{kind: "profiles.events", from: yesterday, aim: aimDay}, {kind: "profiles.events", aimOfRow: aimEventRow},
	} {
		each.people = s.people
		if err := s.generate(ctx, out, p, each); err != nil {
			return err
		}
	}
	return nil
}

// file is a file that is written; from is empty for seven days, and an aim of zero is none.
type file struct {
	kind, from    string
	people        int
	aim, aimOfRow float64
}

// generate writes a file a few times.
func (s settings) generate(ctx context.Context, out io.Writer, p programs, f file) error {
	words := []string{"generate", "--quiet", "--kind", f.kind, "--now", today, "--profiles", strconv.Itoa(f.people), "--out", "-"}
	if f.from != "" {
		words = append(words, "--from", f.from)
	}
	var took samples
	var lines countingLines
	for range s.rounds {
		lines = 0
		command := exec.CommandContext(ctx, p.served, words...)
		command.Stdout = &lines
		if err := command.Run(); err != nil {
			return fmt.Errorf("%s of %d people: %w", f.kind, f.people, err)
		}
		took = append(took, (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds())
	}
	judged := func(found, aim float64) string {
		if aim == 0 {
			return figure(found)
		}
		return atMost(found, aim)
	}
	seconds := took.median()
	fmt.Fprintf(out, "%s\t%d\t%d\t%s\t%s\n", strings.TrimSpace(f.kind+" "+f.from), f.people, lines,
		judged(seconds, f.aim), judged(seconds/float64(max(lines, 1))*1e6, f.aimOfRow))
	return nil
}

type countingLines int64

func (c *countingLines) Write(text []byte) (int, error) {
	*c += countingLines(bytes.Count(text, []byte("\n")))
	return len(text), nil
}
