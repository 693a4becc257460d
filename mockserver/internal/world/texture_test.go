package world_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

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
		seen, id := map[string]bool{}, customID(w)
		for profile := range int64(profiles) {
			text, has := id(profile)
			if !has {
				continue
			}
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

// skeleton is what texts have in common that a person takes for one, by Unicode (UTS 39), as far as the letters and digits of
// identifiers go: the marks of composed letters apart, nothing that has no width, no blanks at the ends, confusable characters as one.
func skeleton(text string) string {
	confusable := strings.NewReplacer("\u0435", "e", "\u0430", "a", "\u0441", "c", "\u0455", "s", "\u03c5", "u", "\u0501", "d",
		"\u0415", "E", "\u0410", "A", "\u0421", "C", "\u0405", "S", "\u0412", "B", "0", "O", "1", "l")
	return norm.NFD.String(confusable.Replace(strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(text)))))
}

// Some identifiers look like that of one other person, in all files, and are not it, also without regard to case.
func TestLookAlikes(t *testing.T) {
	const profiles = 49_152
	for level, of := range map[texture.Level]int{texture.Tidy: 0, texture.Realistic: 1_024, texture.Hostile: 32} {
		w, err := world.NewWith(9, profiles, world.Settings{Texture: level})
		if err != nil {
			t.Fatal(err)
		}
		pairs, stripped, first := map[string][]string{}, map[string]int{}, int64(profiles)
		folded, id := map[string]bool{}, customID(w)
		for profile := range int64(profiles) {
			text, has := id(profile)
			if !has {
				continue
			}
			if fold := strings.ToLower(text); folded[fold] {
				t.Fatalf("%s: %q is there twice, without regard to case", level, text)
			} else {
				folded[fold] = true
			}
			looks := skeleton(text)
			pairs[looks] = append(pairs[looks], text)
			stripped[norm.NFKC.String(strings.TrimSpace(text))]++
			switch len(pairs[looks]) {
			case 2:
				first = min(first, profile)
			case 3:
				t.Fatalf("%s: %q look the same", level, pairs[looks])
			}
		}
		count, merged := 0, 0
		for _, texts := range pairs {
			count += len(texts) - 1
		}
		for _, people := range stripped {
			merged += people - 1
		}
		groups, latest := 0, int64(profiles)
		if of > 0 {
			groups, latest = profiles/of, 64
		}
		if count > groups || count < groups-groups/1_000 || first > latest || merged < groups/4 || merged > groups*3/5 {
			t.Errorf("%s: %d pairs, the first until number %d, want %d; a reader that trims and normalises finds %d of them", level, count, first, groups, merged)
		}
	}
}

// A world of few people, whatever the seed, has a pair among the first.
func TestSmallWorldsHaveLookAlikes(t *testing.T) {
	disguises := map[string]bool{}
	for seed := range uint64(60) {
		w, err := world.NewWith(seed, 100, world.Settings{Texture: texture.Realistic})
		if err != nil {
			t.Fatal(err)
		}
		seen, pairs, id := map[string]string{}, 0, customID(w)
		for profile := range int64(64) {
			text, has := id(profile)
			if other, is := seen[skeleton(text)]; has && is {
				pairs++
				switch {
				case norm.NFC.String(text) == norm.NFC.String(other):
					disguises["composed"] = true
				case strings.TrimSpace(text) == strings.TrimSpace(other):
					disguises["trailing"] = true
				case len([]rune(text)) != len([]rune(other)):
					disguises["widthless"] = true
				case norm.NFKC.String(text) == text && len(text) == len(other):
					disguises["digits"] = true
				default:
					disguises["letters"] = true
				}
			}
			if has {
				seen[skeleton(text)] = text
			}
		}
		if pairs != 1 {
			t.Errorf("seed %d: %d pairs", seed, pairs)
		}
	}
	if len(disguises) != 5 {
		t.Errorf("pairs differ by %v only", disguises)
	}
}

// customID gives the identifier that files show of a profile of a world, if it has one.
func customID(w *world.World) func(profile int64) (text string, has bool) {
	id, _ := w.Fact("profile.custom_id", world.Scope{})
	return func(profile int64) (text string, has bool) {
		row := w.RowAt(profile, -1, 1_773_000_000)
		if id.Absent(&row) {
			return "", false
		}
		return string(id.Text(nil, &row)), true
	}
}
