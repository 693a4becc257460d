package extsort

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestSorterIsBounded sorts a million records within one megabyte, and counts what it held.
func TestSorterIsBounded(t *testing.T) {
	const limit = 1 << 20
	count := testlevel.Count(100_000, 1_000_000, 1_000_000)
	directory := t.TempDir()
	s := New(directory, limit)
	defer s.Close()
	random := rand.New(rand.NewPCG(1, 2))
	var sum uint64
	for range count {
		value := random.Uint64()
		sum += value
		must.Do(t, s.Add(binary.BigEndian.AppendUint64(nil, value)))
	}
	runs := len(s.runs)
	var before []byte
	found := 0
	err := s.Each(func(record []byte) error {
		if bytes.Compare(record, before) < 0 {
			return errors.New("records are out of order")
		}
		before = append(before[:0], record...)
		sum -= binary.BigEndian.Uint64(record)
		found++
		return nil
	})
	must.Hold(t, err == nil && found == count && sum == 0, "%d of %d records, %v", found, count, err)
	must.Hold(t, s.peak <= limit && runs >= count/limit, "held %d bytes at once, at most %d are allowed; %d runs", s.peak, limit, runs)
	s.Close()
	if left, err := os.ReadDir(directory); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

// TestSorterOrdersAsSort compares with sorting in memory, for records of all lengths.
func TestSorterOrdersAsSort(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, count := range []int{0, 1, 2, 500, 20_000} {
		s := New(t.TempDir(), 0)
		var want [][]byte
		for range count {
			record := make([]byte, random.IntN(200))
			for i := range record {
				record[i] = byte(random.IntN(3))
			}
			want = append(want, record)
			must.Do(t, s.Add(record))
		}
		huge := bytes.Repeat([]byte{9}, 3*2*smallestArena) // more than is held at once
		want = append(want, huge)
		must.Do(t, s.Add(huge))
		slices.SortFunc(want, bytes.Compare)
		var got [][]byte
		must.Do(t, s.Each(func(record []byte) error { got = append(got, bytes.Clone(record)); return nil }))
		must.Hold(t, slices.EqualFunc(got, want, bytes.Equal), "%d records come in another order", count)
		s.Close()
	}
}

// TestSorterWithoutDisk checks that a directory that cannot be written to is an error, and not lost rows.
func TestSorterWithoutDisk(t *testing.T) {
	s := New(filepath.Join(t.TempDir(), "missing"), 0)
	defer s.Close()
	var err error
	for range 100_000 {
		err = errors.Join(err, s.Add([]byte("0123456789")))
	}
	must.Hold(t, errors.Is(err, os.ErrNotExist), "without a directory: %v", err)
	stop := errors.New("stop")
	s = New(t.TempDir(), 0)
	defer s.Close()
	if err := errors.Join(s.Add([]byte("a")), s.Each(func([]byte) error { return stop })); !errors.Is(err, stop) {
		t.Errorf("an error of the visitor became %v", err)
	}
}

// limited is room for some bytes.
type limited struct{ most, used int64 }

func (l *limited) Take(bytes int64) error {
	if l.used+bytes > l.most {
		return errors.New("there is no more room")
	}
	l.used += bytes
	return nil
}

func (l *limited) Give(bytes int64) { l.used -= bytes }

// TestWithin: what is written counts in the room, and what does not fit is refused; all of it is given back.
func TestWithin(t *testing.T) {
	for about, c := range map[string]struct {
		most  int64
		fails bool
	}{"enough": {8 << 20, false}, "too little": {1 << 20, true}} {
		t.Run(about, func(t *testing.T) {
			room := &limited{most: c.most}
			s := New(t.TempDir(), 256<<10).Within(room)
			var err error
			for i := 0; i < 200_000 && err == nil; i++ {
				err = s.Add(binary.BigEndian.AppendUint64(nil, uint64(i)*0x9e3779b97f4a7c15))
			}
			if err == nil {
				err = s.Each(func([]byte) error { return nil })
			}
			must.Hold(t, (err != nil) == c.fails && room.used != 0, "%v, and %d bytes are taken", err, room.used)
			s.Close()
			s.Close()
			must.Equal(t, room.used, 0, "bytes that were not given back")
		})
	}
}
