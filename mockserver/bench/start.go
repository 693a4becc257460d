package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// startRounds is how often each program is started. One start takes milliseconds, so there are many.
const startRounds = 15

// measureStart compares the work from starting a program to its first answer, the rounds interleaved, and what memory it has then.
func measureStart(ctx context.Context, out io.Writer, p programs, _ settings) error {
	fmt.Fprintln(out, "start to first answer\tms\tprocessor, ms, least to most\tof bare, processor\tmemory then, kB")
	serve := func(state string) []string {
		return []string{p.served, "serve", "--addr", "127.0.0.1:0", "--state", state, "--progress", "now"}
	}
	file := filepath.Join(p.directory, "start.db")
	starts := []*started{
		{name: "bare net/http, constant 202", words: []string{p.bare}},
		{name: "first export created, memory store", words: serve("memory")},
		{name: "first export created, file store", words: serve(file)},
		{name: "first export created, file store that is new", words: serve(file), without: file},
	}
	for range startRounds {
		for _, s := range starts {
			if err := s.round(ctx); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	bare := starts[0].processor.median() // by the clock, a busy machine says little
	for i, s := range starts {
		took, memory := s.processor.median(), s.memory.median()
		fmt.Fprintf(out, "%s\t%.1f\t%.1f, %.1f to %.1f\t", s.name, s.took.median(), took, slices.Min(s.processor), slices.Max(s.processor))
		if i == 0 {
			fmt.Fprintf(out, "1.00\t%s\n", figure(memory))
			continue
		}
		fmt.Fprintf(out, "%s\t%s\n", atMost(took/bare, aimBareStart), atMost(memory, aimRest))
	}
	return nil
}

// started is a program that is started again and again.
type started struct {
	name    string
	words   []string
	without string // a file that is removed before each start

	took, processor, memory samples // milliseconds, milliseconds, kB; a round each
}

func (s *started) round(ctx context.Context) error {
	if s.without != "" {
		if err := os.RemoveAll(s.without); err != nil {
			return err
		}
	}
	began := time.Now()
	server, err := startProgram(exec.CommandContext(ctx, s.words[0], s.words[1:]...))
	if err != nil {
		return err
	}
	defer server.stop()
	connection, err := dial(server.address)
	if err != nil {
		return err
	}
	defer connection.Close()
	if _, _, err := connection.roundTrip(createRequest(server.address)); err != nil {
		return err
	}
	s.took = append(s.took, float64(time.Since(began).Microseconds())/1000)
	s.memory = append(s.memory, memoryOf(server.process.Process.Pid, "VmRSS:"))
	server.stop()
	if state := server.process.ProcessState; state != nil {
		s.processor = append(s.processor, float64((state.UserTime()+state.SystemTime()).Microseconds())/1000)
	}
	return nil
}
