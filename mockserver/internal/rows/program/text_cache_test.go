package program_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
)

func TestTextCache(t *testing.T) {
	file, other := int64(1), int64(2)
	c := program.TextCache{Most: 1000}
	if c.Keeps(501) || !c.Keeps(500) {
		t.Error("a file of more than half is kept, or one of half is not")
	}
	first := program.TextKey{File: file, Stretch: 1}
	c.Put(first, make([]byte, 200))
	c.Put(program.TextKey{File: other, Stretch: 1}, make([]byte, 200))
	if c.Get(first) == nil {
		t.Fatal("what fits is not kept")
	}
	c.Put(program.TextKey{File: file, Stretch: 2}, make([]byte, 200)) // the other one was used longest ago
	if c.Get(program.TextKey{File: other, Stretch: 1}) != nil || c.Get(first) == nil || c.Used() > 1000 {
		t.Errorf("%d bytes are used", c.Used())
	}
	c.Put(first, make([]byte, 10))
	if len(c.Get(first)) != 10 || c.Used() != 10+200+2*200 {
		t.Errorf("a text in place of another: %d bytes are used", c.Used())
	}
	c.Put(first, make([]byte, 2000))
	if c.Get(first) != nil || c.Used() != 0 {
		t.Errorf("a text that is too large: %d bytes are used", c.Used())
	}
	var none program.TextCache
	if none.Put(first, nil); none.Get(first) != nil || none.Keeps(1) {
		t.Error("the zero cache keeps something")
	}
}
