package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// peers are the generators that the files are compared with. What is missing on a machine is said, and not measured.
type peers struct {
	faking     string // the built program, empty: there is none
	script     string
	schemas    string
	complaints []string
}

func findPeers(ctx context.Context, p programs) *peers {
	found := &peers{}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		found.complain("gofakeit and json-schema-faker", err)
		return found
	}
	house := strings.TrimSpace(string(root))
	bench := filepath.Join(house, "mockserver", "bench")
	found.schemas = filepath.Join(house, "schemas")

	built := filepath.Join(p.directory, "gofakeit")
	build := exec.CommandContext(ctx, "go", "build", "-o", built, ".")
	build.Dir = filepath.Join(bench, "gofakeit")
	build.Env = append(os.Environ(), "GOWORK=off")
	if text, err := build.CombinedOutput(); err != nil {
		found.complain("gofakeit", fmt.Errorf("%w: %s", err, lastLine(text)))
	} else {
		found.faking = built
	}

	folder := filepath.Join(bench, "faker")
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		install := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--silent")
		install.Dir = folder
		if text, err := install.CombinedOutput(); err != nil {
			found.complain("json-schema-faker", fmt.Errorf("npm ci: %w: %s", err, lastLine(text)))
			return found
		}
	}
	found.script = filepath.Join(folder, "faker.mjs")
	return found
}

func (p *peers) complain(what string, err error) {
	p.complaints = append(p.complaints, fmt.Sprintf("%s: not measured, %v", what, err))
}

func lastLine(text []byte) string {
	text = bytes.TrimSpace(text)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}

// gofakeit makes one round.
func (p *peers) gofakeit(ctx context.Context, subjects []*subject, s settings) {
	if p.faking == "" {
		return
	}
	arguments := []string{(s.round / 15).String()}
	for _, subject := range subjects {
		argument := subject.export.Kind
		if subject.columns != "" {
			argument += "=" + subject.columns
		}
		arguments = append(arguments, argument)
	}
	command := exec.CommandContext(ctx, p.faking, arguments...)
	command.Env = append(os.Environ(), "GOMAXPROCS=1")
	if err := rates(command, subjects, func(s *subject) *samples { return &s.gofakeit }); err != nil {
		p.faking = ""
		p.complain("gofakeit", err)
	}
}

// faker makes all its rounds: it is so slow that a busy moment is no matter.
func (p *peers) faker(ctx context.Context, subjects []*subject, s settings) {
	if p.script == "" {
		return
	}
	arguments := []string{p.script, p.schemas, fmt.Sprint(int64(s.round / 3 / time.Millisecond))}
	for _, subject := range subjects {
		arguments = append(arguments, subject.export.Kind+"="+subject.export.Output)
	}
	if err := rates(exec.CommandContext(ctx, "node", arguments...), subjects, func(s *subject) *samples { return &s.faker }); err != nil {
		p.complain("json-schema-faker", err)
	}
}

// rates runs a program that prints, for each kind, its rows per second and its bytes per row.
func rates(command *exec.Cmd, subjects []*subject, into func(*subject) *samples) error {
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("%w: %s", err, lastLine(complaint.Bytes()))
	}
	for line := range strings.Lines(string(out)) {
		var (
			kind        string
			rows, bytes float64
		)
		if _, err := fmt.Sscan(line, &kind, &rows, &bytes); err != nil {
			return fmt.Errorf("it printed %q: %w", line, err)
		}
		for _, subject := range subjects {
			if subject.export.Kind == kind {
				*into(subject) = append(*into(subject), rows*bytes)
			}
		}
	}
	return nil
}
