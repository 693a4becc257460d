//go:build proof

package mobile_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestPortable builds the package that is bound for the phones that it is for, without C.
func TestPortable(t *testing.T) {
	for _, platform := range [][2]string{{"android", "arm64"}, {"android", "arm"}, {"ios", "arm64"}} {
		t.Run(platform[0]+" "+platform[1], func(t *testing.T) {
			proof.Run(t, proof.Command{Dir: proof.Root(t), Name: "go", Arguments: []string{"build", proof.Facade},
				Environment: []string{"CGO_ENABLED=0", "GOOS=" + platform[0], "GOARCH=" + platform[1]}})
		})
	}
}
