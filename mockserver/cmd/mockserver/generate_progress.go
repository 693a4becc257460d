package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
)

// parseShard reads "2/8", and "1+1/8" for an index that counts from 0, as that of a
// job in Kubernetes: an image without a shell cannot add.
func parseShard(text string) (rows.Shard, error) {
	number, of, found := strings.Cut(text, "/")
	number, fromZero := strings.CutSuffix(number, "+1")
	i, err := strconv.Atoi(number)
	if fromZero {
		i++
	}
	n, err2 := strconv.Atoi(of)
	if !found || err != nil || err2 != nil || i < 1 || n < i {
		return rows.Shard{}, fmt.Errorf("it must be I/N, two whole numbers from 1 on with I not above N, such as 2/8")
	}
	return rows.Shard{Number: i, Of: n}, nil
}

func sizeText(bytes, rows int64) string {
	return fmt.Sprintf("%s in %s", bytesText(float64(bytes)), rowsText(rows))
}

func rowsText(count int64) string {
	if count == 1 {
		return "1 row"
	}
	digits := strconv.FormatInt(count, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits + " rows"
}

// bytesText is a size in decimal units with three digits, such as "1.23 GB".
func bytesText(size float64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB", "PB", "EB"}
	for ; size >= 999.5 && len(units) > 1; units = units[1:] {
		size /= 1000
	}
	if units[0] == "bytes" {
		return fmt.Sprintf("%.0f %s", size, units[0])
	}
	return fmt.Sprintf("%s %s", strconv.FormatFloat(size, 'g', 3, 64), units[0])
}

// meter tells how far a file is, on a terminal, and how large it became.
type meter struct {
	out     io.Writer // nil: tell nothing
	line    bool      // a line that is written over and over
	name    string
	now     func() time.Time
	began   time.Time
	written time.Time // when the line was last written
	length  int       // of the line
	last    rows.Progress
}

// redraw is how often the line changes.
const redraw = 200 * time.Millisecond

func newMeter(f generateFlags, t terminal) *meter {
	m := &meter{name: f.kind, now: t.now}
	if f.quiet {
		return m
	}
	if f.shard.Of > 1 {
		m.name += fmt.Sprintf(", shard %d of %d", f.shard.Number, f.shard.Of)
	}
	m.out, m.line, m.began = t.err, isTerminal(t.err), t.now()
	return m
}

// isTerminal says whether someone watches: a line that is written over makes no sense in a log.
func isTerminal(out io.Writer) bool {
	file, is := out.(*os.File)
	return is && isatty.IsTerminal(file.Fd())
}

// show is told how far the file is.
func (m *meter) show(p rows.Progress) {
	m.last = p
	now := m.now()
	if m.out == nil || !m.line || p.Done < 1 && now.Sub(m.written) < redraw {
		return
	}
	m.written = now
	took := now.Sub(m.began)
	text := fmt.Sprintf("[%-20s] %3.0f %%  %s  %s/s", strings.Repeat("#", int(p.Done*20)), p.Done*100,
		bytesText(float64(p.Bytes)), bytesText(float64(p.Bytes)/max(took.Seconds(), 1e-3)))
	if p.Done > 0 && p.Done < 1 {
		left := time.Duration(float64(took) * (1 - p.Done) / p.Done)
		text += fmt.Sprintf("  %s left", left.Round(time.Second))
	}
	fmt.Fprintf(m.out, "\r%-*s", m.length, text)
	m.length = len(text)
}

// end leaves the last line as it is, and tells how large the file is that was written.
func (m *meter) end(err error) {
	if m.length > 0 {
		fmt.Fprintln(m.out)
	}
	if m.out != nil && err == nil {
		fmt.Fprintf(m.out, "%s: %s\n", m.name, sizeText(m.last.Bytes, m.last.Rows))
	}
}
