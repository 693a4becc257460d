package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// Counts is what one step did.
type Counts struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

func (c Counts) total() int { return c.Passed + c.Failed + c.Skipped }

func (c Counts) String() string {
	text := fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed)
	if c.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	return text
}

func (c *Counts) add(other Counts) {
	c.Passed += other.Passed
	c.Failed += other.Failed
	c.Skipped += other.Skipped
}

// closing are the closing lines that a suite may end with, each with its own numbers.
var closing = []struct {
	runner  string
	pattern *regexp.Regexp
	counts  func(numbers []int) Counts
}{
	{"plain, pytest", regexp.MustCompile(`^(?:=+ |[a-z-]+: )?([0-9]+) passed, ([0-9]+) failed(?:, ([0-9]+) skipped)?`), inOrder},
	{"pytest, some failed", regexp.MustCompile(`^(?:=+ )?([0-9]+) failed, ([0-9]+) passed(?:, ([0-9]+) skipped)?`), func(n []int) Counts { return Counts{n[1], n[0], n[2]} }},
	{"pytest, none failed", regexp.MustCompile(`^(?:=+ )?([0-9]+) passed(?:, ([0-9]+) skipped)? in `), func(n []int) Counts { return Counts{n[0], 0, n[1]} }},
	{"node, passes", regexp.MustCompile(`^(?:#|ℹ) pass ([0-9]+)$`), func(n []int) Counts { return Counts{Passed: n[0]} }},
	{"node, failures", regexp.MustCompile(`^(?:#|ℹ) fail ([0-9]+)$`), func(n []int) Counts { return Counts{Failed: n[0]} }},
	{"node, skips", regexp.MustCompile(`^(?:#|ℹ) skipped ([0-9]+)$`), func(n []int) Counts { return Counts{Skipped: n[0]} }},
	{"surefire", regexp.MustCompile(`^(?:\[(?:INFO|WARNING|ERROR)\] )?Tests run: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+), Skipped: ([0-9]+)$`),
		func(n []int) Counts { return Counts{n[0] - n[1] - n[2] - n[3], n[1] + n[2], n[3]} }},
	{"schemas/conformance", regexp.MustCompile(`^[a-z-]+: [0-9]+ schemas, ([0-9]+) valid and ([0-9]+) invalid samples, ([0-9]+) disagreements$`),
		func(n []int) Counts { return Counts{n[0] + n[1] - n[2], n[2], 0} }},
	{"a part left out", regexp.MustCompile(`^[a-z-]+: skipped: `), func([]int) Counts { return Counts{Skipped: 1} }},
}

func inOrder(n []int) Counts { return Counts{n[0], n[1], n[2]} }

// countLine returns what a closing line says; zero for any other line.
func countLine(line string) Counts {
	line = strings.TrimSpace(line)
	for _, form := range closing {
		groups := form.pattern.FindStringSubmatch(line)
		if groups == nil {
			continue
		}
		numbers := make([]int, len(groups)-1)
		for i, digits := range groups[1:] {
			numbers[i], _ = strconv.Atoi(digits) // an absent group is empty and counts as 0
		}
		return form.counts(numbers)
	}
	return Counts{}
}

// countText adds up the closing lines of a text.
func countText(text io.Reader) (Counts, error) {
	var counts Counts
	scanner := bufio.NewScanner(text)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		counts.add(countLine(scanner.Text()))
	}
	return counts, scanner.Err()
}

func write(directory, name string, counts Counts) error {
	data, err := json.Marshal(counts)
	if err != nil {
		return err
	}
	file := strings.Map(func(r rune) rune {
		if strings.ContainsRune("/ :", r) {
			return '-'
		}
		return r
	}, name)
	return os.WriteFile(filepath.Join(directory, file+".json"), data, 0o644)
}

// sum prints one line per step and the total as the last line.
func sum(out io.Writer, directory string) error {
	files, err := filepath.Glob(filepath.Join(directory, "*.json"))
	if err != nil {
		return err
	}
	sort.Strings(files)
	var all Counts
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var counts Counts
		if err := json.Unmarshal(data, &counts); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		all.add(counts)
		fmt.Fprintf(out, "%-28s %s\n", strings.TrimSuffix(filepath.Base(file), ".json"), counts)
	}
	fmt.Fprintln(out, all)
	if all.Failed > 0 || all.Passed == 0 {
		return fmt.Errorf("not everything passed")
	}
	return nil
}
