package filetype

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
)

// mostRow is how many bytes a row may take.
const mostRow = 1 << 20

// ErrTooLong says that a row does not end.
var ErrTooLong = errors.New("a row is longer than 1 MB: a quote may be open")

// CSV reads rows and keeps every byte of a cell: line breaks in quotes are data (RFC 4180, 2.6), which encoding/csv makes LF.
type CSV struct {
	*csv.Reader
	keeper keeper
}

// NewCSV reads CSV. Rows may have any number of cells, and are good until the next is read.
func NewCSV(r io.Reader, separator rune) *CSV {
	c := &CSV{keeper: keeper{from: r, separator: byte(separator), state: begin}}
	c.Reader = csv.NewReader(&c.keeper)
	c.Comma, c.FieldsPerRecord, c.ReuseRecord = separator, -1, true
	return c
}

// Read reads the next row.
func (c *CSV) Read() ([]string, error) {
	c.keeper.left = mostRow
	return c.Reader.Read()
}

// Malformed says where and why a row is no CSV. The next row can be read all the same, unless it was too long.
func (c *CSV) Malformed(err error) (line, column int, sentence string, is bool) {
	var malformed *csv.ParseError
	if !errors.As(err, &malformed) {
		return 0, 0, "", false
	}
	switch {
	case errors.Is(malformed.Err, csv.ErrBareQuote):
		sentence = "a quote inside a cell: a cell with quotes must be quoted, and its quotes doubled"
	case errors.Is(malformed.Err, csv.ErrQuote):
		sentence = "a quoted cell does not end as it must: a quote inside must be doubled, and nothing may follow the last one"
	default:
		sentence = malformed.Err.Error()
	}
	return malformed.Line, malformed.Column, sentence, true
}

// Cells says that a row has another number of cells than the header.
func Cells(row, header int) string {
	return fmt.Sprintf("the row has %d cells, but the header has %d", row, header)
}

// keeper doubles the CR of each CR LF in quotes, and one at the very end: encoding/csv drops one of them.
type keeper struct {
	from      io.Reader
	separator byte
	left      int // how much may be read before the row has to end

	state   state
	last    byte
	ready   []byte // that is to be handed out
	made    []byte
	chunk   [16 << 10]byte
	failure error
}

// state is where in a row a reader is.
type state byte

const (
	begin  state = iota // of a cell
	plain               // in a cell without quotes
	quoted              // in quotes
	quote               // behind a quote in quotes
	broken              // in a line that is no CSV; the next one is read
)

// Read implements [io.Reader].
func (k *keeper) Read(p []byte) (int, error) {
	if k.left <= 0 {
		return 0, ErrTooLong
	}
	for len(k.ready) == 0 {
		if k.failure != nil {
			return 0, k.failure
		}
		n, err := k.from.Read(k.chunk[:])
		k.ready, k.failure = k.keep(k.chunk[:n]), err
		if err == io.EOF && k.last == '\r' && k.state < quoted {
			k.ready, k.last = append(k.ready, '\r'), 0
		}
	}
	n := copy(p, k.ready)
	k.ready, k.left = k.ready[n:], k.left-n
	return n, nil
}

func (k *keeper) keep(chunk []byte) []byte {
	if len(chunk) == 0 {
		return nil
	}
	if k.state <= plain && bytes.IndexByte(chunk, '"') < 0 {
		k.last, k.state = chunk[len(chunk)-1], plain
		if k.last == k.separator || k.last == '\n' {
			k.state = begin
		}
		return chunk
	}
	k.made = k.made[:0]
	for _, char := range chunk {
		if char == '\n' && k.last == '\r' && k.state == quoted {
			k.made = append(k.made, '\r')
		}
		k.made = append(k.made, char)
		k.last = char
		k.state = k.next(char)
	}
	return k.made
}

// next is where a reader is behind a byte.
func (k *keeper) next(char byte) state {
	switch {
	case k.state == quoted && char == '"':
		return quote
	case k.state == quoted, k.state == quote && char == '"', k.state == begin && char == '"':
		return quoted
	case char == '\n', char == k.separator && k.state != broken:
		return begin
	case k.state == quote, k.state == broken, char == '"':
		return broken
	}
	return plain
}
