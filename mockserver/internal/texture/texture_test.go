package texture_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

const people = 200_000

// plain is the identifier of a number before it becomes awkward.
func plain(number uint64) string { return fmt.Sprintf("user-%016x", number*0x9e3779b97f4a7c15) }

func identifiers(level texture.Level, seed uint64) *texture.Column {
	return texture.New(level, seed).Column("profile.custom_id", texture.Identifiers)
}

func TestTidyChangesNothing(t *testing.T) {
	if column := identifiers(texture.Tidy, 1); column.Touches(3) || string(column.Apply([]byte("x;y"), 2, 3)) != "x;y" {
		t.Error("a tidy text was changed")
	}
	for level, known := range map[texture.Level]bool{"": true, "tidy": true, "realistic": true, "hostile": true, "Tidy": false, "sudden": false} {
		must.Equal(t, level.Known(), known, "%q is known", level)
	}
}

// Identifiers stay distinct, also for readers that ignore case and trim, and what they were is found again.
func TestIdentifiersAreDistinctAndFoundAgain(t *testing.T) {
	for _, level := range []texture.Level{texture.Realistic, texture.Hostile} {
		column := identifiers(level, 7)
		seen, literals, touched := map[string]uint64{}, 0, 0
		for number := range uint64(people) {
			was := plain(number)
			text := string(column.Apply([]byte("before;"+was), len("before;"), number))
			text, kept := strings.CutPrefix(text, "before;")
			folded := strings.ToLower(strings.TrimSpace(text))
			if other, twice := seen[folded]; twice || !kept || folded == "" || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				t.Fatalf("%s: %d has %q, and so has %d", level, number, text, other)
			}
			seen[folded] = number
			if changed := text != was; changed && !column.Touches(number) {
				t.Fatalf("%s: %d is not touched and has %q", level, number, text)
			} else if changed {
				touched++
			}
			if found, is := column.Literal(text); is {
				literals++
				if found != number {
					t.Fatalf("%s: %q is said to be of %d, want %d", level, text, found, number)
				}
				continue
			}
			if found, is := texture.Plain(text, "user-"); !is || found != was {
				t.Fatalf("%s: %q was %q, found %q", level, text, was, found)
			}
		}
		if literals != 8 || level == texture.Hostile && touched != people {
			t.Errorf("%s: %d of %d changed, %d say nothing", level, touched, people, literals)
		}
	}
}

// What docs/explanation/awkward-values.md states, within four standard deviations; where a rank decides, exactly.
func TestShares(t *testing.T) {
	needsQuotes := func(text string) bool { return strings.ContainsAny(text, ";\"\r\n") }
	for _, c := range []struct {
		about string
		kind  texture.Kind
		plain string
		is    func(string) bool
		share float64
	}{
		{"beyond ASCII in identifiers", texture.Identifiers, "user-00000000000000ff", func(text string) bool { return strings.IndexFunc(text, func(r rune) bool { return r > 127 }) >= 0 }, 0.0288},
		{"capitals in addresses", texture.Addresses, "a.b@example.com", func(text string) bool { return strings.HasSuffix(text, "@EXAMPLE.COM") }, 0.02},
		{"tags of providers", texture.Addresses, "anna.berg.2k@example.com", func(text string) bool { return strings.Contains(text, "+") }, 0.0154},
		{"tags of domains of one's own", texture.Addresses, "anna.berg.2k@berg.example", func(text string) bool { return strings.Contains(text, "+") }, 0.009},
		{"domains of one's own beyond ASCII", texture.Addresses, "berg.anna.2k@berg.example", func(text string) bool { return strings.Contains(text, "@xn--") }, 0.0064},
		{"empty answers", texture.Answers, "amber", func(text string) bool { return text == "" }, 0.01},
		{"no device", texture.Devices, "ab-cd", func(text string) bool { return text == "00-00" }, 0.08},
		{"links with a query", texture.Links, "https://www.example.com/", func(text string) bool { return strings.Contains(text, "?") }, 0.3},
	} {
		column, found := texture.New(texture.Realistic, 3).Column("any", c.kind), 0
		for number := range uint64(people) {
			if c.is(string(column.Apply([]byte(c.plain), 0, crowd+number))) {
				found++
			}
		}
		if sigma := math.Sqrt(people * c.share * (1 - c.share)); math.Abs(float64(found)-people*c.share) > 4*sigma+people*c.share/20 {
			t.Errorf("%s: %d of %d, want %v", c.about, found, people, c.share)
		}
	}
	for seed := range uint64(20) {
		column, first, many, later := identifiers(texture.Realistic, seed), 0, 0, 0
		for number := range uint64(crowd + 256*100) {
			text := string(column.Apply([]byte(plain(number)), 0, number))
			switch {
			case !needsQuotes(text):
			case number < 64:
				first++
			case number < crowd:
				many++
				if !strings.Contains(text, ";") || !strings.Contains(text, "\n") || strings.IndexFunc(text, func(r rune) bool { return r > 127 }) < 0 {
					t.Fatalf("%q passes a naive reader", text)
				}
			default:
				later++
			}
		}
		if first < 7 || many < crowd/16-10 || many > crowd/16 || later < 98 || later > 101 {
			t.Errorf("seed %d: %d of the first 64 need quotes, %d of the crowd, and %d of those behind, want 8, %d and 100", seed, first, many, later, crowd/16-4)
		}
	}
}

// In a hostile world one identifier and one answer in 4,096 is longer than a line of Go's bufio.Scanner, and every other one of
// them longer than a cell of Python's csv. Elsewhere none is longer than some hundred characters.
func TestEnormousTexts(t *testing.T) {
	const line, cell, groups = 65_536, 131_072, 16
	for _, level := range texture.Levels()[1:] {
		for _, kind := range []texture.Kind{texture.Identifiers, texture.Answers, texture.Names} {
			column, lines, cells, most := texture.New(level, 5).Column("any", kind), 0, 0, 0
			for number := range uint64(groups * 4_096) {
				switch length := len(column.Apply([]byte(plain(number)), 0, number)); {
				case length > cell:
					cells++
				case length > line:
					lines++
				default:
					most = max(most, length)
				}
			}
			hostile := level == texture.Hostile && kind != texture.Names
			if hostile && (lines+cells != groups || lines == 0 || cells == 0) || !hostile && (lines+cells != 0 || most > 1_000) {
				t.Errorf("%s, kind %d: %d texts of more than a line, %d of more than a cell, the others have up to %d characters", level, kind, lines, cells, most)
			}
		}
	}
}

// An address stays one: a local part of at most 64 characters, and the same domain.
func TestAddressesStayAddresses(t *testing.T) {
	column := texture.New(texture.Hostile, 1).Column("any", texture.Addresses)
	for number := range uint64(1000) {
		text := strings.ToLower(string(column.Apply([]byte("anna.berg.2k@example.com"), 0, number)))
		local, domain, found := strings.Cut(text, "@")
		if !found || domain != "example.com" || local == "" || len(local) > 64 || strings.ContainsAny(local, " ;\"") {
			t.Fatalf("%q", text)
		}
	}
}

// Domains with letters beyond ASCII are in their A-label form, and say what they are meant to; providers keep theirs.
func TestInternationalDomains(t *testing.T) {
	column, seen := texture.New(texture.Hostile, 1).Column("any", texture.Addresses), map[string]bool{}
	for number := range uint64(1_000) {
		if text := string(column.Apply([]byte("anna.berg.a@a.example"), 0, number)); strings.Contains(text, "xn--") {
			t.Fatalf("%q: the provider had another domain", text)
		}
		text := string(column.Apply([]byte("anna.berg.2k@berg.example"), 0, number))
		if label, is := strings.CutPrefix(text, "anna.berg.2k@xn--"); is {
			name, reserved := strings.CutSuffix(label, ".example")
			if !reserved {
				t.Fatalf("%q: the domain is not reserved", text)
			}
			seen[unpuny(name)] = true
		}
	}
	want := map[string]bool{"bücher": true, "müller": true, "françois": true, "núñez": true, "łukasz": true, "søren": true, "пример": true, "例え": true}
	must.Hold(t, maps.Equal(seen, want), "the domains are those of %v, want %v", seen, want)
}

// unpuny decodes Punycode (RFC 3492).
func unpuny(text string) string {
	var made []rune
	code, at, bias := rune(128), 0, 72
	if hyphen := strings.LastIndexByte(text, '-'); hyphen >= 0 {
		made, text = []rune(text[:hyphen]), text[hyphen+1:]
	}
	for first := true; text != ""; first = false {
		before := at
		for weight, k := 1, 36; ; k += 36 {
			digit := strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789", text[0])
			text = text[1:]
			at += digit * weight
			threshold := min(max(k-bias, 1), 26)
			if digit < threshold {
				break
			}
			weight *= 36 - threshold
		}
		delta := (at - before) / 2
		if first {
			delta = (at - before) / 700
		}
		delta += delta / (len(made) + 1)
		for bias = 0; delta > 455; bias += 36 {
			delta /= 35
		}
		bias += 36 * delta / (delta + 38)
		code += rune(at / (len(made) + 1))
		at %= len(made) + 1
		made = slices.Insert(made, at, code)
		at++
	}
	return string(made)
}

// crowd is how many people of a world have more awkward identifiers than those behind them.
const crowd = 1 << 16
