package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestGenerateShards: the shards of a file, put together, are it.
func TestGenerateShards(t *testing.T) {
	for _, kind := range []string{"userbase", "profiles.events"} {
		line := []string{"generate", "--kind", kind, "--profiles", "700", "--now", "2026-03-12T12:00:00Z"}
		whole := invoke(t, "", line...)
		for _, limit := range []string{"", "250"} {
			want := whole.out
			if limit != "" {
				line = append(line, "--rows", limit)
				want = invoke(t, "", line...).out
			}
			directory := t.TempDir()
			merge := []string{"merge"}
			for _, i := range []int{3, 1, 4, 2} {
				out := filepath.Join(directory, fmt.Sprint(i))
				invoke(t, "", append(line, "--shard", fmt.Sprintf("%d/4", i), "--out", out)...).is(t, exitOK, "", "")
				merge = append(merge, out)
			}
			joined := filepath.Join(directory, "joined")
			r := invoke(t, "", append(merge, "--out", joined)...)
			if data, err := os.ReadFile(joined); r.code != 0 || string(data) != want || len(want) < 1000 {
				t.Errorf("%s, at most %q rows: the shards have %d bytes together, the file has %d, or they differ: %v %s", kind, limit, len(data), len(want), err, r.err)
			}
		}
	}
	for want, line := range map[string][]string{"name the shards": {"merge"}, "no such file": {"merge", "/no/shard"}, "no shard of a file": {"merge", os.Args[0]}} {
		if r := invoke(t, "", line...); r.code == 0 || r.out != "" || !strings.Contains(r.err, want) {
			t.Errorf("%q: exit code %d: %s%s", line, r.code, r.out, r.err)
		}
	}
	for _, wrong := range []string{"2", "0/3", "4/3", "a/b", "1/0", "-1/2", "1/2/3", "", "3+1/3", "0+2/3", "+1/3", "-1+1/3", "0+1+1/3"} {
		r := invoke(t, "", "generate", "--kind", "userbase", "--shard", wrong)
		if r.code != 2 || r.out != "" || !strings.Contains(r.err, "--shard") || !strings.Contains(r.err, "such as 2/8") {
			t.Errorf("--shard %q: exit code %d: %s%s", wrong, r.code, r.out, r.err)
		}
	}
}

// TestGenerateSize: how large a file is, is told at the end.
func TestGenerateSize(t *testing.T) {
	line := []string{"generate", "--kind", "userbase", "--rows", "1000"}
	r := invoke(t, "", line...)
	if r.code != 0 || !regexp.MustCompile(`^userbase: 1[0-9]{2} kB in 1,000 rows\n$`).MatchString(r.err) {
		t.Errorf("standard error is %q, want the size alone: it is no terminal", r.err)
	}
	if r = invoke(t, "", append(line, "--shard", "1/2")...); !strings.HasPrefix(r.err, "userbase, shard 1 of 2: ") {
		t.Errorf("of a shard it says %q", r.err)
	}
	if r = invoke(t, "", append(line, "--quiet")...); r.code != 0 || r.err != "" {
		t.Errorf("--quiet: exit code %d: %s", r.code, r.err)
	}
}

func TestMeter(t *testing.T) {
	var out bytes.Buffer
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	m := &meter{out: &out, line: true, began: at, now: func() time.Time { return at }}
	for _, step := range []struct {
		after    time.Duration
		progress rows.Progress
		want     string
	}{
		{time.Second, rows.Progress{Rows: 10, Bytes: 5_000_000, Done: 0.25}, "\r[#####               ]  25 %  5 MB  5 MB/s  3s left"},
		{time.Millisecond, rows.Progress{Rows: 20, Bytes: 6_000_000, Done: 0.3}, ""}, // too soon
		{time.Second, rows.Progress{Rows: 30, Bytes: 20_000_000, Done: 1}, "\r[####################] 100 %  20 MB  10 MB/s       "},
	} {
		out.Reset()
		at = at.Add(step.after)
		if m.show(step.progress); out.String() != step.want {
			t.Errorf("%+v shows\n%q, want\n%q", step.progress, out.String(), step.want)
		}
	}
	out.Reset()
	if m.end(nil); out.String() != "\n: 20 MB in 30 rows\n" {
		t.Errorf("at the end comes %q", out.String())
	}
	m = &meter{now: m.now}
	m.show(rows.Progress{Done: 1})
	m.end(nil)
}

func TestSizesAreReadable(t *testing.T) {
	for size, want := range map[float64]string{0: "0 bytes", 999: "999 bytes", 1_000: "1 kB", 123_456: "123 kB", 999_900: "1 MB", 1_234_567_890: "1.23 GB"} {
		must.Equal(t, bytesText(size), want, "%f bytes", size)
	}
	for count, want := range map[int64]string{0: "0 rows", 1: "1 row", 999: "999 rows", 1_000: "1,000 rows", 1_234_567: "1,234,567 rows"} {
		must.Equal(t, rowsText(count), want, "%d rows", count)
	}
}
