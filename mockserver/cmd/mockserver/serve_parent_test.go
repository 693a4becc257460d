package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestUntilStdinCloses: a server whose parent is gone ends, and well.
func TestUntilStdinCloses(t *testing.T) {
	in, parent := io.Pipe()
	out, written := io.Pipe()
	var said locked
	ended := make(chan int, 1)
	go func() {
		ended <- run(context.Background(), []string{"serve", "--port", "0", "--state", "memory", "--profiles", "50", "--until-stdin-closes"}, terminal{
			in: in, out: written, err: &said, now: time.Now, environment: fixed(nil),
		})
		written.Close()
	}()
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(line, "listening on ") {
		t.Fatalf("%q, %v: %s", line, err, &said)
	}
	go io.Copy(io.Discard, lines)
	must.Get(io.WriteString(parent, "what a parent writes is nothing\n"))(t)
	select {
	case code := <-ended:
		t.Fatalf("it ended with %d while its parent was there: %s", code, &said)
	default:
	}
	parent.Close()
	if code := <-ended; code != exitOK || !strings.Contains(said.String(), "standard input is closed") {
		t.Errorf("it ended with %d: %s", code, &said)
	}
}
