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
	text, err := exec.CommandContext(ctx, p.served, line(tried, "--estimate")...).Output()
	if err != nil {
		return fmt.Errorf("estimating: %w", err)
	}
	per, err := parseEstimate(string(text))
	if err != nil {
		return err
	}
	profiles := max(int64(float64(s.memory)/(per/tried)), 1)
	var counted countingWriter
	generate := exec.CommandContext(ctx, p.served, line(profiles, "--quiet")...)
	generate.Stdout = &counted
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

// parseEstimate reads the bytes of "about 1.2 GB in 3 rows".
func parseEstimate(text string) (float64, error) {
	fields := strings.Fields(text)
	units := map[string]float64{"bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
	if len(fields) > 2 && units[fields[2]] > 0 {
		if size, err := strconv.ParseFloat(fields[1], 64); err == nil && size > 0 {
			return size * units[fields[2]], nil
		}
	}
	return 0, fmt.Errorf("the estimate %q is not understood", text)
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
