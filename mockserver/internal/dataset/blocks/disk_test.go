package blocks_test

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// openDisk returns blocks whose memory is full: further ones are in a file.
func openDisk(t *testing.T, under string, room blocks.Room) blocks.Store {
	t.Helper()
	kept := blocks.Disk(under, room)
	t.Cleanup(func() { kept.Close() })
	must.Get(kept.Add(make([]byte, blocks.SpillBytes)))(t)
	return kept
}

// TestBlocks holds all implementations to what blocks.Store promises.
func TestBlocks(t *testing.T) {
	for name, kept := range map[string]blocks.Store{
		"memory": blocks.Memory(), "file": openDisk(t, t.TempDir(), nil), "spill": blocks.Disk(t.TempDir(), nil),
	} {
		t.Run(name, func(t *testing.T) {
			block := bytes.Repeat([]byte("0123456789"), 300_000) // three are more than stays in memory
			var numbers []int64
			for i := range 5 {
				block[0] = byte('a' + i)
				number := must.Get(kept.Add(block))(t)
				numbers = append(numbers, number)
			}
			for i, number := range numbers {
				found, err := kept.Get(number, []byte("x"))
				if err != nil || len(found) != 1+len(block) || found[0] != 'x' || found[1] != byte('a'+i) {
					t.Errorf("block %d begins with %.3q and has %d bytes, %v", i, found, len(found), err)
				}
			}
			must.Do(t, kept.Drop(numbers[1:4]))
			for i, number := range numbers {
				if _, err := kept.Get(number, nil); (err == nil) != (i == 0 || i == 4) {
					t.Errorf("block %d after some were dropped: %v", i, err)
				}
			}
			must.Do(t, kept.Close())
		})
	}
}

// TestRoom checks that a file takes its room beside others, and gives it back with dropped blocks and when it is closed.
func TestRoom(t *testing.T) {
	budgets := must.Get(budget.New(budget.Limits{Disk: 2 << 20}))(t)
	room := budgets.Of(budget.Disk)
	kept := openDisk(t, t.TempDir(), room)
	first := must.Get(kept.Add(make([]byte, 2<<20-4)))(t)
	if _, err := kept.Add([]byte("more")); err != nil || room.Used() != 2<<20 {
		t.Fatalf("what fits exactly: %d bytes taken, %v", room.Used(), err)
	}
	var exceeded *budget.ExceededError
	if _, err := kept.Add([]byte("more")); !errors.As(err, &exceeded) || exceeded.Budget != room {
		t.Errorf("a full file ended with %v", err)
	}
	if err := kept.Drop([]int64{first}); err != nil || room.Used() != 4 {
		t.Errorf("after a block was dropped: %d bytes taken, %v", room.Used(), err)
	}
	if _, err := kept.Add([]byte("more")); err != nil {
		t.Errorf("after a block was dropped: %v", err)
	}
	if err := kept.Close(); err != nil || room.Used() != 0 {
		t.Errorf("after it was closed: %d bytes taken, %v", room.Used(), err)
	}
}

// TestNothingIsLeftBehind: a program that is killed cannot remove its file, so the file has no name while it is used; and a closed
// file is gone.
func TestNothingIsLeftBehind(t *testing.T) {
	under := t.TempDir()
	kept := openDisk(t, under, nil)
	must.Get(kept.Add([]byte("block")))(t)
	if left, err := os.ReadDir(under); err != nil || len(left) > 0 && runtime.GOOS != "windows" {
		t.Errorf("there are %v, %v", left, err)
	}
	must.Do(t, kept.Close())
	if left, err := os.ReadDir(under); err != nil || len(left) > 0 {
		t.Errorf("there is still %v, %v", left, err)
	}
}
