package world_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
)

// TestNothingIsFused: no product of fractions is rounded together with the sum that it is part of. Some processors would do so, and
// others not, and then one seed would have different worlds. What the compiler makes for such a one tells.
func TestNothingIsFused(t *testing.T) {
	t.Parallel()
	if testlevel.Count(0, 1, 1) == 0 {
		t.Log("compiling for another processor is for a change")
		return
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-S", ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	listing, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, listing)
	}
	if !bytes.Contains(listing, []byte("\tFMULD\t")) {
		t.Error("the listing has no product of fractions, so it cannot tell")
	}
	places := map[string]bool{}
	for _, found := range regexp.MustCompile(`([a-z_]+\.go:[0-9]+)\)\tFN?M(ADD|SUB)[DS]\t`).FindAllSubmatch(listing, -1) {
		places[string(found[1])] = true
	}
	for place := range places {
		t.Errorf("%s: a product is fused with a sum; write float64(a*b) + c", place)
	}
}
