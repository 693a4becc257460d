package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// Kept is a report that goes to a file, or to the standard output without one. It is printed there as well if the file
// cannot be written in the end: what took hours to see is not lost for that.
type Kept struct {
	bytes.Buffer
	path string
	out  io.Writer
}

// Keep creates the file of --report, so that one that cannot be written is known before the work.
func Keep(path string, out io.Writer) (*Kept, error) {
	if path != "" {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666) // what is in it stays until there is something else
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("--report: %w; name a file that can be written", err)
		}
	}
	return &Kept{path: path, out: out}, nil
}

// End writes the report.
func (k *Kept) End() error {
	if k.path == "" {
		_, err := k.out.Write(k.Bytes())
		return err
	}
	err := os.WriteFile(k.path, k.Bytes(), 0o666)
	if err == nil {
		return nil
	}
	_, printed := k.out.Write(k.Bytes())
	return errors.Join(fmt.Errorf("--report: %w; the report was printed instead", err), printed)
}

// Written says how many drifts there were and where the report and the overlay are, as far as those are in files.
func Written(out io.Writer, drifts int, file, overlay string) {
	line := ""
	if file != "" {
		line = Count(drifts, "drift") + ": " + file
	}
	if entries, _ := os.ReadDir(overlay); overlay != "" && len(entries) > 0 { // without drifts there is none
		if line != "" {
			line += "; "
		}
		line += "overlay: " + overlay
	}
	if line != "" {
		fmt.Fprintln(out, report.Printable(line))
	}
}
