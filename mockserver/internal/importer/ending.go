package importer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// ending reads a file and holds its latest fault back: only at the end is it known whether that is where the file was cut off.
type ending struct {
	from io.Reader
	last byte

	held    *schemas.Fault
	name    string
	message string
}

// Read implements [io.Reader].
func (e *ending) Read(into []byte) (int, error) {
	n, err := e.from.Read(into)
	if n > 0 {
		e.last = into[n-1]
	}
	return n, err
}

// hold holds a fault of a file.
func (e *ending) hold(name string, fault *schemas.Fault, message string) {
	e.held, e.name, e.message = fault, name, message
}

// cut says of a fault in the last of so many rows that the file ends there, if it does not end as files do.
func (e *ending) cut(rows int64) {
	switch {
	case e.held == nil:
	case e.held.Keyword == "json" && strings.HasSuffix(e.held.Message, "ends too early"),
		e.held.Keyword == "csv" && e.held.Row >= max(rows, 1) && e.last != '\n':
		e.message = fmt.Sprintf("the file ends early, on line %d", e.held.Line)
	case e.held.Row >= max(rows, 1) && e.held.Keyword != "json" && e.last != '\n' && e.last != ']':
		e.message += fmt.Sprintf("; the file ends here, on line %d, without a line break: it may be cut off", e.held.Line)
	}
}

// flush hands the held fault on.
func (e *ending) flush(i *importer) {
	if e.held == nil {
		return
	}
	place := fmt.Sprintf("%s:%d:%d: ", e.name, e.held.Line, e.held.Column)
	if e.held.Pointer != "" {
		place += e.held.Pointer + ": "
	}
	i.faults.Differs = i.faults.Differs || e.held.Keyword != "csv" && e.held.Keyword != "json" || e.held.Row == 0 && e.held.Line == 1
	i.fault(place + e.message)
	e.held = nil
}
