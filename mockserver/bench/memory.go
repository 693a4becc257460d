package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// measureMemory makes one very large file and asks the system how much memory the program ever had.
func measureMemory(ctx context.Context, out io.Writer, p programs, s settings) error {
	const tried = 100_000
	line := func(profiles int64, more ...string) []string {
		return append([]string{"generate", "--kind", "profiles.events", "--now", today, "--profiles", strconv.FormatInt(profiles, 10)}, more...)
	}
	var counted countingWriter
	sample := exec.CommandContext(ctx, p.served, line(tried, "--quiet")...)
	sample.Stdout = &counted
	if err := sample.Run(); err != nil || counted == 0 {
		return fmt.Errorf("making a file of %d profiles: %d bytes, %w", tried, counted, err)
	}
	profiles := max(s.memory*tried/int64(counted), 1)
	counted = 0
	generate := exec.CommandContext(ctx, p.served, line(profiles, "--quiet")...)
	generate.Stdout, generate.Stderr = &counted, os.Stderr
	began := time.Now()
	if err := generate.Start(); err != nil {
		return err
	}
	// What the system tells of a process that has ended counts the memory of the one that started it.
	ended, peak := make(chan error, 1), 0.0
	go func() { ended <- generate.Wait() }()
	for running := true; running; {
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("making a file of %d profiles: %w", profiles, err)
			}
			running = false
		case <-time.After(20 * time.Millisecond):
			peak = max(peak, memoryOf(generate.Process.Pid, "VmHWM:"))
		}
	}
	took := time.Since(began)
	fmt.Fprintf(out, "\nmemory\tGB\tseconds\tkB\n")
	if peak == 0 {
		fmt.Fprintf(out, "writing profiles.events\t%.1f\t%.1f\tnot measured on this system\n", float64(counted)/1e9, took.Seconds())
		return nil
	}
	fmt.Fprintf(out, "writing profiles.events\t%.1f\t%.1f\t%s\n", float64(counted)/1e9, took.Seconds(), atMost(peak, aimWriting))
	return nil
}

type countingWriter int64

func (c *countingWriter) Write(text []byte) (int, error) {
	*c += countingWriter(len(text))
	return len(text), nil
}

// memoryOf is what the system says of the memory of a process, in kB; zero where it does not tell.
func memoryOf(process int, what string) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, is := strings.CutPrefix(line, what); is {
			size, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return size
		}
	}
	return 0
}
