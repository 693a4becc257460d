package rows

import (
	"bufio"
	"cmp"
	"container/heap"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Shard is one of several pieces in which a file is written, by programs that
// know nothing of each other: that of a part of the people. [Merge] makes the file of them.
// See docs/how-to/generate-files.md#in-shards
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

// Units are those units of a file that the shard holds: from first up to, not
// including, last.
func (s Shard) Units(of int64) (first, last int64) {
	return cut(of, s.Number-1, s.Of), cut(of, s.Number, s.Of)
}

// cut is where piece number i of n begins. The product of all units and n may
// be too large for a number.
func cut(units int64, i, n int) int64 {
	whole, rest := units/int64(n), units%int64(n)
	return whole*int64(i) + min(rest, int64(i))
}

// frame is what stands around the rows of a file.
type frame struct {
	Header, Footer []byte
	Lead           int // bytes of the first row that are left out
}

func (f *File) frame() frame { return frame{f.plan.header, f.plan.footer, f.plan.lead()} }

// shardMark begins every shard, and shardHead follows as a line of JSON. Then come the rows: for each, the seconds behind the row before, the
// number of its bytes, both as unsigned varints, and the bytes.
const shardMark = "rehearsal shard 1\n"

type shardHead struct {
	Shard
	Frame frame
	Limit int64  // rows of the file at most
	File  string // which file it is
}

// begin begins a shard.
func (o *output) begin(shard Shard, spec exports.File) {
	encoded, err := json.Marshal(spec)
	sum := sha256.Sum256(encoded)
	head, wrong := json.Marshal(shardHead{shard, o.frame, o.limit, hex.EncodeToString(sum[:])})
	if o.err = errors.Join(err, wrong); o.err == nil {
		o.write(append([]byte(shardMark), append(head, '\n')...))
	}
	o.sharded = true
}

// writeRows writes rows of a shard.
func (o *output) writeRows(c *chunk) {
	o.rest = o.rest[:0]
	begin := int32(0)
	for i, end := range c.ends {
		o.rest = binary.AppendUvarint(o.rest, uint64(c.at[i]-o.last))
		o.rest = binary.AppendUvarint(o.rest, uint64(end-begin))
		o.rest = append(o.rest, c.text[begin:end]...)
		o.last, begin = c.at[i], end
	}
	o.write(o.rest)
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

// shardReaders are those of all shards, that of the earliest row first.
type shardReaders []*shardReader

func (s shardReaders) Len() int      { return len(s) }
func (s shardReaders) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s shardReaders) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(s[i].at, s[j].at), cmp.Compare(s[i].head.Number, s[j].head.Number)) < 0
}
func (s *shardReaders) Push(x any) { *s = append(*s, x.(*shardReader)) }
func (s *shardReaders) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}

// Merge writes the file whose shards are given, in any order, by their names.
func Merge(ctx context.Context, w io.Writer, shards map[string]io.Reader) error {
	var open shardReaders
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
	if err := open.write(ctx, out, head, names); err != nil {
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

// write writes the rows of all shards, in the order of the file.
func (s shardReaders) write(ctx context.Context, out *bufio.Writer, head shardHead, names map[int]string) error {
	all := s
	s = nil
	for _, each := range all {
		switch err := each.next(); {
		case err == nil:
			s = append(s, each)
		case !errors.Is(err, io.EOF):
			return fmt.Errorf("%s: %w", names[each.head.Number], err)
		}
	}
	heap.Init(&s)
	for rows := int64(0); len(s) > 0 && rows < head.Limit; rows++ {
		first, lead := s[0], 0
		if rows == 0 {
			lead = head.Frame.Lead
		}
		if _, err := out.Write(first.row[lead:]); err != nil {
			return err
		}
		switch err := first.next(); {
		case errors.Is(err, io.EOF):
			heap.Pop(&s)
		case err != nil:
			return fmt.Errorf("%s: %w", names[first.head.Number], err)
		default:
			heap.Fix(&s, 0)
		}
		if rows%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}
