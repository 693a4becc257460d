package world

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// Where people live is data: a region has a weight, mailbox providers with weights, and zones with their clocks, languages and
// ranges of telephone numbers. Regions of weight 0 are there for those who ask for them.
//
//go:embed regions.json
var regionsFile []byte

// Names of people, by language, in the letters of mail addresses.
//
//go:embed names.json
var namesFile []byte

// Place is a region in which people live. A user gives further ones in the form that regions.json has.
// See docs/explanation/world.md#where-do-regions-languages-and-telephone-numbers-come-from
type Place struct {
	Region    string             `json:"region"`
	Weight    float64            `json:"weight"`              // how many people live there, against other regions
	Mailboxes map[string]float64 `json:"mailboxes,omitempty"` // providers of mailboxes, by how many people have one there
	Zones     []Zone             `json:"zones"`
}

// Zone is a part of a region with clocks, languages and telephone numbers of its own.
type Zone struct {
	Zone      string             `json:"zone"`             // in the time zone database
	Minutes   int64              `json:"minutes"`          // ahead of UTC, in winter
	Summer    string             `json:"summer,omitempty"` // the rule for summer time: europe, america or australia; empty: none
	Weight    float64            `json:"weight"`           // how many people live there, against other zones of the region
	Languages map[string]float64 `json:"languages"`        // by how many speak them
	Numbers   []string           `json:"numbers"`          // ranges such as "+441134960 000-499"; none: nobody has a telephone number
}

// Names are those of the people who speak a language, in the letters of mail addresses.
type Names struct {
	Given  []string `json:"given"`
	Family []string `json:"family"`
}

type place struct {
	region    string
	clocks    *zone
	languages []string
	speaks    picker // picks one of languages
	numbers   []numberRange
	lines     int64 // telephone numbers of all ranges
	providers []mailbox
	mail      picker // picks one of providers
}

// numberRange are telephone numbers: a prefix, and digits behind it from a first number on.
type numberRange struct {
	prefix string
	unit   int64 // of the first of these digits
	first  int64
	end    int64 // of the lines of the place up to the end of this range
}

// mailbox is a provider of mailboxes. The domains are under the name that is reserved for examples (RFC 2606).
type mailbox struct{ name, domain string }

// ownDomain is the share of people with a domain of their own, against the weights of a region, which are of sixty-four.
const ownDomain = 5

// otherProvider is the provider of people with a domain of their own.
const otherProvider = "Other"

var (
	regions   = parsed[[]Place](regionsFile)
	nameLists = parsed[map[string]Names](namesFile)
)

func parsed[T any](data []byte) func() T {
	return sync.OnceValue(func() (all T) {
		if err := json.Unmarshal(data, &all); err != nil {
			panic("world: " + err.Error())
		}
		return all
	})
}

// Regions returns the codes of the regions that people may live in.
func Regions(own ...Place) (codes []string) {
	for _, of := range regionsWith(own) {
		codes = append(codes, of.Region)
	}
	return codes
}

// regionsWith returns all regions with those that a user gives, which take the place of others of the same code.
func regionsWith(own []Place) (all []Place) {
	for _, of := range regions() {
		if !slices.ContainsFunc(own, func(other Place) bool { return other.Region == of.Region }) {
			all = append(all, of)
		}
	}
	return append(all, own...)
}

// namesWith returns the names by language with those that a user gives.
func namesWith(own map[string]Names) map[string]*Names {
	all := map[string]*Names{}
	for _, lists := range []map[string]Names{nameLists(), own} {
		for language, names := range lists {
			all[language] = &names
		}
	}
	return all
}

// settle makes the places of all regions, and their picker.
func (w *World) settle() error {
	var living []float64
	for _, of := range regionsWith(w.settings.Places) {
		weight, all := of.Weight, 0.0
		if w.settings.Regions != nil {
			weight = w.settings.Regions[of.Region]
		}
		for _, in := range of.Zones {
			all += in.Weight
		}
		providers, mail := providersOf(of.Mailboxes)
		for _, in := range of.Zones {
			languages, speaks := weighted(in.Languages)
			at := &place{
				region: of.Region, clocks: &zone{in.Zone, in.Minutes * minute, rules()[in.Summer]}, languages: languages,
				speaks: newPicker(256, speaks...), providers: providers, mail: mail,
			}
			for _, text := range in.Numbers {
				if err := at.addNumbers(text); err != nil {
					return fmt.Errorf("places.%s %s %w", of.Region, in.Zone, err)
				}
			}
			w.places, living = append(w.places, at), append(living, weight*in.Weight/all)
		}
	}
	w.living = newPicker(4096, living...)
	return nil
}

// weighted returns names with their weights, in order.
func weighted(of map[string]float64) (names []string, weights []float64) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		names, weights = append(names, name), append(weights, of[name])
	}
	return names, weights
}

// addNumbers adds the numbers of a text such as "+441134960 000-499": the first digits, and from where to where the others go. Several
// first digits are such as "+1{201,202}55501 00-99".
func (p *place) addNumbers(text string) error {
	prefix, span, _ := strings.Cut(text, " ")
	from, to, _ := strings.Cut(span, "-")
	head, codes, _ := strings.Cut(prefix, "{")
	codes, tail, _ := strings.Cut(codes, "}")
	first, err := strconv.ParseInt(from, 10, 64)
	last, err2 := strconv.ParseInt(to, 10, 64)
	for code := range strings.SplitSeq(codes, ",") {
		prefix = head + code + tail
		_, wrong := strconv.ParseUint(strings.TrimPrefix(prefix, "+"), 10, 64)
		if errors.Join(wrong, err, err2) != nil || !strings.HasPrefix(prefix, "+") || first < 0 || last < first || len(from) != len(to) ||
			len(prefix)+len(from) > 16 {
			return fmt.Errorf("has the telephone numbers %q; a range is such as \"+441134960 000-499\", of at most 15 digits", text)
		}
		p.lines += last - first + 1
		p.numbers = append(p.numbers, numberRange{prefix, int64(math.Pow10(len(from) - 1)), first, p.lines})
	}
	return nil
}

func (p *place) appendNumber(dst []byte, line int64) []byte {
	at := sort.Search(len(p.numbers), func(i int) bool { return p.numbers[i].end > line })
	of := &p.numbers[at]
	if at > 0 {
		line -= p.numbers[at-1].end
	}
	dst = append(dst, of.prefix...)
	for unit := of.unit; unit > 0; unit /= 10 {
		dst = append(dst, '0'+byte((of.first+line)/unit%10))
	}
	return dst
}

func providersOf(weights map[string]float64) (made []mailbox, mail picker) {
	names, list := weighted(weights)
	for _, name := range names {
		made = append(made, mailbox{name, strings.ReplaceAll(strings.ToLower(name), " ", "") + ".example"})
	}
	return append([]mailbox{{name: otherProvider}}, made...), newPicker(256, append([]float64{ownDomain}, list...)...)
}
