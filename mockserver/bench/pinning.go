package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
)

// canPin tells whether this machine lets a server have a core of its own.
func canPin() bool {
	_, err := exec.LookPath("taskset")
	return err == nil && runtime.NumCPU() > 1
}

// pinning says how servers are kept apart from the load.
func pinning() string {
	if canPin() {
		return "each server on one core, the load on another"
	}
	return "servers and load on all cores (no taskset, or one core)"
}

// pinned is a command that runs on the first core.
func pinned(words []string) []string {
	if !canPin() {
		return words
	}
	return append([]string{"taskset", "-c", "0"}, words...)
}

// pinSelf keeps this process, which makes the load, off the first core, until undo is called.
func pinSelf(ctx context.Context) (undo func()) {
	if !canPin() {
		return func() {}
	}
	last := runtime.NumCPU() - 1
	move := func(ctx context.Context, cores string) {
		// A failure leaves the load where it is, which costs some of the figures their sharpness.
		_ = exec.CommandContext(ctx, "taskset", "-a", "-p", "-c", cores, strconv.Itoa(os.Getpid())).Run()
	}
	move(ctx, strconv.Itoa(last))
	return func() { move(context.WithoutCancel(ctx), fmt.Sprintf("0-%d", last)) }
}
