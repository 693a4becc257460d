package rows

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Shard is one of several pieces in which a file is written, by programs that know nothing of each other: that of a part of the people.
// [Merge] makes the file of them. See docs/how-to/generate-files.md#in-shards
type Shard struct {
	Number int // from 1
	Of     int // how many there are
}

// Whole is the only shard of one, which is the file.
var Whole = Shard{Number: 1, Of: 1}

func (s Shard) check() error {
	if s.Of < 1 || s.Number < 1 || s.Number > s.Of {
		return fmt.Errorf("shard %d of %d: the number must be from 1 to the number of shards", s.Number, s.Of)
	}
	return nil
}

// Units are those units of a file that the shard holds: from first up to, not including, last.
func (s Shard) Units(of int64) (first, last int64) {
	return cut(of, s.Number-1, s.Of), cut(of, s.Number, s.Of)
}

// cut is where piece number i of n begins. The product of all units and n may be too large for a number.
func cut(units int64, i, n int) int64 {
	whole, rest := units/int64(n), units%int64(n)
	return whole*int64(i) + min(rest, int64(i))
}

// frame is what stands around the rows of a file.
type frame struct {
	Header, Footer []byte
	Lead           int // bytes of the first row that are left out
}

// shardMark begins every shard, and shardHead follows as a line of JSON. Then come the rows: for each, the seconds behind the row before,
// the number of its bytes, both as unsigned varints, and the bytes.
const shardMark = "rehearsal shard 1\n"

type shardHead struct {
	Shard
	Frame frame
	Limit int64  // rows of the file at most
	File  string // which file it is
}

// shardBegin is what stands before the rows of a shard.
func (f *File) shardBegin(shard Shard) []byte {
	encoded, err := json.Marshal(f.spec)
	sum := sha256.Sum256(encoded)
	head, wrong := json.Marshal(shardHead{shard, frame{f.plan.header, f.plan.footer, f.plan.lead()}, f.limit(), hex.EncodeToString(sum[:])})
	if err := errors.Join(err, wrong); err != nil {
		panic(err) // both consist of texts and numbers
	}
	return append([]byte(shardMark), append(head, '\n')...)
}

// shardReader reads the rows of a shard.
type shardReader struct {
	*bufio.Reader
	head shardHead
	at   int64 // of the row
	row  []byte
}

// next reads the next row; io.EOF: there is none.
func (r *shardReader) next() error {
	behind, err := binary.ReadUvarint(r)
	if err != nil {
		return err
	}
	length, err := binary.ReadUvarint(r)
	if err == nil {
		r.at += int64(behind)
		r.row = slices.Grow(r.row[:0], int(length))[:length]
		_, err = io.ReadFull(r, r.row)
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Merge writes the file whose shards are given, in any order, by their names.
func Merge(ctx context.Context, w io.Writer, shards map[string]io.Reader) error {
	var open []*shardReader
	names := map[int]string{}
	for name, from := range shards {
		made, err := readShard(from)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if other, twice := names[made.head.Number]; twice {
			return fmt.Errorf("%s and %s are the same shard, number %d", other, name, made.head.Number)
		}
		names[made.head.Number] = name
		if first := append(open, made)[0]; first.head.File != made.head.File || first.head.Of != made.head.Of {
			return fmt.Errorf("%s and %s are shards of different files, or of a file in other shards", names[first.head.Number], name)
		}
		open = append(open, made)
	}
	if len(open) == 0 {
		return errors.New("there is no shard")
	}
	head := open[0].head
	for number := range head.Of {
		if names[number+1] == "" {
			return fmt.Errorf("shard %d of %d is missing", number+1, head.Of)
		}
	}
	out := bufio.NewWriterSize(w, pieceBytes)
	_, _ = out.Write(head.Frame.Header) // Flush returns the first error
	if err := mergeRows(ctx, out, open, names); err != nil {
		return err
	}
	_, _ = out.Write(head.Frame.Footer)
	return out.Flush()
}

func readShard(from io.Reader) (*shardReader, error) {
	made := &shardReader{Reader: bufio.NewReaderSize(from, pieceBytes)}
	mark := make([]byte, len(shardMark))
	if _, err := io.ReadFull(made, mark); err != nil || string(mark) != shardMark {
		return nil, errors.New("this is no shard of a file, as generate --shard makes them")
	}
	line, err := made.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &made.head)
	}
	return made, err
}

// mergeRows writes the rows of all shards, in the order of the file.
func mergeRows(ctx context.Context, out io.Writer, open []*shardReader, names map[int]string) error {
	head := open[0].head
	next := func(shard *shardReader) error {
		err := shard.next()
		if errors.Is(err, io.EOF) {
			open = slices.DeleteFunc(open, func(other *shardReader) bool { return other == shard })
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", names[shard.head.Number], err)
		}
		return nil
	}
	for _, shard := range slices.Clone(open) {
		if err := next(shard); err != nil {
			return err
		}
	}
	for rows := int64(0); len(open) > 0 && rows < head.Limit; rows++ {
		first := slices.MinFunc(open, func(a, b *shardReader) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.head.Number, b.head.Number))
		})
		row := first.row
		if rows == 0 {
			row = row[head.Frame.Lead:]
		}
		if _, err := out.Write(row); err != nil {
			return err
		}
		if err := next(first); err != nil {
			return err
		}
		if rows%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}
