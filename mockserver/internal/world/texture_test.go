package world_test

import (
	"fmt"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// A dataset finds the synthetic people that it names by the identifiers that files show, however awkward, and by no other.
func TestAwkwardCustomIDsAreFound(t *testing.T) {
	const profiles = 5000
	for _, level := range texture.Levels() {
		w, err := world.NewWith(4, profiles, world.Settings{Texture: level})
		if err != nil {
			t.Fatal(err)
		}
		id, _ := w.Fact("profile.custom_id", world.Scope{})
		seen := map[string]bool{}
		for profile := range int64(profiles) {
			row := w.RowAt(profile, -1, 1_773_000_000)
			if id.Absent(&row) {
				continue
			}
			text := string(id.Text(nil, &row))
			seen[text] = true
			if found, is := w.ProfileByCustomID(text); !is || found != profile {
				t.Fatalf("%s: %q is of %d, found %d, %v", level, text, profile, found, is)
			}
		}
		for text := range seen {
			for _, other := range []string{text + " ", "x" + text, fmt.Sprint(text, "\n")} {
				if _, found := w.ProfileByCustomID(other); found && !seen[other] {
					t.Fatalf("%s: %q is nobody's identifier, and somebody was found", level, other)
				}
			}
		}
		for _, nobody := range []string{"", "null!", "user-0000000000000000", "00000000000000000000", "99999999999999999999", "user-"} {
			if _, found := w.ProfileByCustomID(nobody); found {
				t.Errorf("%s: %q is somebody", level, nobody)
			}
		}
	}
}
