package layouts_test

import (
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/layouts"
)

// BenchmarkDecode reads the layout of a file of 12 GB.
func BenchmarkDecode(b *testing.B) {
	var many []layouts.Block
	for i := range int64(500_000) {
		many = append(many, layouts.Block{Unit: 3 * i, Skip: int32(i % 64), Rows: int32(180 + i%10), Size: 24_400 + i%170})
	}
	encoded := layouts.Encode(digest, slices.Values(many))
	for b.Loop() {
		if _, err := decode(encoded, digest, 1<<40); err != nil {
			b.Fatal(err)
		}
	}
}
