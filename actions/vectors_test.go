package actions_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// TestVectors replays the cases that are the same on every surface.
func TestVectors(t *testing.T) {
	actionstest.RunVectors(t, "testdata/vectors", actionstest.NewRegistrySubject)
}
