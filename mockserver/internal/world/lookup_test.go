package world_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Every identifier that a row shows leads back to what it is the identifier of.
func TestIdentifiersLeadBack(t *testing.T) {
	const profiles = 700
	w := world.New(7, profiles)
	text := func(name string, row world.Row) string {
		fact, found := w.Fact(name, world.Scope{})
		if !found {
			t.Fatalf("there is no fact %s", name)
		}
		if fact.Absent != nil && fact.Absent(&row) {
			return ""
		}
		return string(fact.Text(nil, &row))
	}
	for n := range int64(profiles) {
		if found, is := w.ProfileByID(text("profile.id", w.RowAt(n, -1, 1_750_000_000))); !is || found != n {
			t.Fatalf("the profile_id of profile %d leads to %d, %t", n, found, is)
		}
		if id := text("profile.custom_id", w.RowAt(n, -1, 1_750_000_000)); id != "" {
			if found, is := w.ProfileByCustomID(id); !is || found != n {
				t.Fatalf("the custom_id of profile %d leads to %d, %t", n, found, is)
			}
		}
	}
	for n := range w.Installations() {
		row := w.RowAt(w.OwnerOf(n), n, 1_750_000_000)
		if found, is := w.InstallationByID(text("installation.id", row)); !is || found != n {
			t.Fatalf("the install_id of installation %d leads to %d, %t", n, found, is)
		}
	}
}

// What merely looks like an identifier leads nowhere.
func FuzzForeignIdentifiers(f *testing.F) {
	for _, id := range []string{"", "phone-1", "profile_", "profile_x", "user-", "user-0123456789abcdef", "USER-0123456789ABCDEF",
		"0f3b8c1e-2a77-4d30-8f6c-3c1f0f9f1d52", "profile_0f3b8c1e2a774d308f6c3c1f0f9f1d52"} {
		f.Add(id)
	}
	w := world.New(7, 100)
	empty := world.New(7, 0)
	f.Fuzz(func(t *testing.T, id string) {
		for _, of := range []func(string) (int64, bool){empty.InstallationByID, empty.ProfileByID, empty.ProfileByCustomID} {
			if n, is := of(id); is {
				t.Errorf("%q is number %d of an empty world", id, n)
			}
		}
		if n, is := w.ProfileByID(id); is && (n < 0 || n >= w.Profiles()) {
			t.Errorf("%q is profile %d of %d", id, n, w.Profiles())
		}
		if n, is := w.InstallationByID(id); is && (n < 0 || n >= w.Installations()) {
			t.Errorf("%q is installation %d of %d", id, n, w.Installations())
		}
	})
}
