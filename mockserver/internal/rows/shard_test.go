package rows_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// Shards are written in any order, at the same time and by files that were opened anew, as the machines of a batch system would.
func TestShardsAreTheFile(t *testing.T) {
	library := embedded(t)
	random := rand.New(rand.NewPCG(8, 9))
	for _, export := range library.Exports() {
		for _, of := range []int{3, 17, 2, 1, 120}[:testlevel.Count(2, 4, 5)] {
			spec := wholeFile(library, export)
			if of == 3 {
				most := random.Int64N(400)
				spec.MaxRows = &most
			}
			renderer := rows.NewRenderer(library)
			file := must.Get(renderer.Open(spec))(t)
			want := text(t, file)
			pieces := make([]bytes.Buffer, of)
			var group sync.WaitGroup
			turns := make(chan struct{}, 4)
			for _, i := range random.Perm(of) {
				turns <- struct{}{}
				group.Go(func() {
					defer func() { <-turns }()
					again, err := renderer.Open(spec)
					if err == nil {
						_, err = again.Write(t.Context(), &pieces[i], rows.Shard{Number: i + 1, Of: of}, nil)
					}
					must.Hold(t, err == nil, "%s, shard %d of %d: %v", export.Kind, i+1, of, err)
				})
			}
			group.Wait()
			if of == 1 {
				must.Hold(t, bytes.Equal(pieces[0].Bytes(), want), "%s: the only shard is not the file", export.Kind)
				continue
			}
			shards := map[string]io.Reader{}
			for i := range pieces {
				shards[fmt.Sprint(i)] = &pieces[i]
			}
			var joined bytes.Buffer
			if err := rows.Merge(t.Context(), &joined, shards); err != nil || !bytes.Equal(joined.Bytes(), want) {
				t.Errorf("%s: %d shards have %d bytes together, the file has %d, or they differ: %v", export.Kind, of, joined.Len(), len(want), err)
			}
		}
	}
}

// TestMergeRefusesOtherShards: what cannot be the shards of one file is named.
func TestMergeRefusesOtherShards(t *testing.T) {
	library := embedded(t)
	shard := func(seed uint64, number, of int) []byte {
		spec := wholeFile(library, kind(t, library, "userbase"))
		spec.Seed = seed
		var out bytes.Buffer
		must.Get(open(t, library, spec).Write(t.Context(), &out, rows.Shard{Number: number, Of: of}, nil))(t)
		return out.Bytes()
	}
	first, second := shard(1, 1, 2), shard(1, 2, 2)
	for want, shards := range map[string][][]byte{
		"there is no shard": {}, "shard 2 of 2 is missing": {first}, "are the same shard, number 1": {first, first},
		"shards of different files": {first, shard(2, 2, 2)}, "in other shards": {first, shard(1, 2, 3)},
		"no shard of a file": {first, []byte("install_id\n")}, "unexpected EOF": {first, second[:len(second)-3]},
	} {
		named := map[string]io.Reader{}
		for i, each := range shards {
			named[fmt.Sprint("piece ", i)] = bytes.NewReader(each)
		}
		if err := rows.Merge(t.Context(), io.Discard, named); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one that says %q", err, want)
		}
	}
}

// digests are the SHA-256 of a file of every kind, as a whole and in parts.
func digests(t testing.TB) string {
	var lines strings.Builder
	library := embedded(t)
	for _, export := range library.Exports() {
		spec := wholeFile(library, export)
		spec.Profiles = 2_000
		file := open(t, library, spec)
		written, parts := sha256.New(), sha256.New()
		must.Get(file.WriteTo(written))(t)
		must.Get(file.WriteParts(t.Context(), parts))(t)
		fmt.Fprintf(&lines, "%s %s %s\n", export.Kind, hex.EncodeToString(written.Sum(nil)), hex.EncodeToString(parts.Sum(nil)))
	}
	return lines.String()
}

// TestTheBytesDoNotDependOnTheProcess starts the test binary again, with other
// numbers of processors: another process has other hash seeds and addresses.
func TestTheBytesDoNotDependOnTheProcess(t *testing.T) {
	if os.Getenv("PRINT_DIGESTS") != "" {
		fmt.Print(digests(t))
		return
	}
	want := digests(t)
	for line := range strings.Lines(want) {
		if fields := strings.Fields(line); fields[1] != fields[2] {
			t.Errorf("%s: the file written and the file read differ", fields[0])
		}
	}
	program := must.Get(os.Executable())(t)
	for _, processors := range []int{1, 2, 7} {
		process := exec.CommandContext(t.Context(), program, "-test.run", "^TestTheBytesDoNotDependOnTheProcess$", "-test.v=false")
		process.Env = append(os.Environ(), "PRINT_DIGESTS=1", fmt.Sprintf("GOMAXPROCS=%d", processors))
		out, err := process.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got := string(out); !strings.HasPrefix(got, want) {
			t.Errorf("with %d processors the files have the digests\n%s\nand here\n%s", processors, got, want)
		}
	}
}

// TestProgress: it only grows, and ends with the size of the file.
func TestProgress(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		spec := wholeFile(library, export)
		spec.Profiles = 20_000
		var last rows.Progress
		size, err := open(t, library, spec).Write(t.Context(), io.Discard, rows.Whole, func(p rows.Progress) {
			if p.Bytes < last.Bytes || p.Rows < last.Rows || p.Done < last.Done || p.Done > 1 {
				t.Errorf("progress went from %+v to %+v", last, p)
			}
			last = p
		})
		if err != nil || last.Done != 1 || last.Bytes != size {
			t.Errorf("%s: the last progress was %+v, %d bytes were written: %v", export.Kind, last, size, err)
		}
	}
}

func TestWritingEndsEarly(t *testing.T) {
	library := embedded(t)
	synctest.Test(t, func(t *testing.T) { // it fails when a goroutine is left behind
		spec := wholeFile(library, kind(t, library, "userbase"))
		spec.Profiles = 1_000_000
		file := must.Get(rows.NewRenderer(library).Open(spec))(t)
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := file.Write(ctx, io.Discard, rows.Whole, func(rows.Progress) { cancel() }); !errors.Is(err, context.Canceled) {
			t.Errorf("Write = %v after its context ended", err)
		}
		full := errors.New("the disk is full")
		if n, err := file.Write(t.Context(), &limited{left: 100_000, err: full}, rows.Whole, nil); !errors.Is(err, full) || n != 100_000 {
			t.Errorf("Write = %d, %v after its writer failed", n, err)
		}
		for _, shard := range []rows.Shard{{}, {Number: 3, Of: 2}, {Number: 0, Of: 2}} {
			if _, err := file.Write(t.Context(), io.Discard, shard, nil); err == nil {
				t.Errorf("shard %+v is written", shard)
			}
		}
	})
}

// limited takes a number of bytes and then fails.
type limited struct {
	left int
	err  error
}

func (l *limited) Write(text []byte) (int, error) {
	n := min(len(text), l.left)
	if l.left -= n; l.left == 0 {
		return n, l.err
	}
	return n, nil
}
