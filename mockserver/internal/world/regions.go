package world

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
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

// place is a region with one of its zones.
type place struct {
	region    string
	clocks    *zone
	languages []string
	speaks    *rhythm // picks one of languages
	numbers   []numberRange
	lines     int64 // telephone numbers of all ranges
	providers []mailbox
	mail      *rhythm // picks one of providers
}

// numberRange are telephone numbers: a prefix, and digits behind it from a first number on.
type numberRange struct {
	prefix string
	digits int
	first  int64
	end    int64 // of the lines of the place up to the end of this range
}

// mailbox is a provider of mailboxes. The domains are under the name that is reserved for examples (RFC 2606).
type mailbox struct{ name, domain string }

// ownDomain is the share of people with a domain of their own, against the weights of a region, which are of sixty-four.
const ownDomain = 5

// otherProvider is the provider of people with a domain of their own.
const otherProvider = "Other"

var regions = sync.OnceValue(func() (all []Place) {
	if err := json.Unmarshal(regionsFile, &all); err != nil {
		panic("world: regions.json: " + err.Error())
	}
	return all
})

var nameLists = sync.OnceValue(func() (all map[string]*Names) {
	if err := json.Unmarshal(namesFile, &all); err != nil {
		panic("world: names.json: " + err.Error())
	}
	return all
})

// Regions are the codes of the regions that people may live in.
func Regions(own ...Place) (codes []string) {
	for _, of := range withOwn(own) {
		codes = append(codes, of.Region)
	}
	return codes
}

// withOwn are all regions with those that a user gives, which take the place of others of the same code.
func withOwn(own []Place) (all []Place) {
	for _, of := range regions() {
		if !slices.ContainsFunc(own, func(other Place) bool { return other.Region == of.Region }) {
			all = append(all, of)
		}
	}
	return append(all, own...)
}

// namesWith are the names by language with those that a user gives.
func namesWith(own map[string]Names) map[string]*Names {
	if len(own) == 0 {
		return nameLists()
	}
	all := maps.Clone(nameLists())
	for language, names := range own {
		all[language] = &names
	}
	return all
}

var usualPlaces = sync.OnceValues(func() ([]*place, [][]float64) { return zonesOf(regions()) })

// zonesOf are the zones of regions, and the weights of each region's.
func zonesOf(all []Place) (made []*place, weights [][]float64) {
	for _, of := range all {
		providers, mail := providersOf(of.Mailboxes)
		var inRegion []float64
		for _, in := range of.Zones {
			languages := sortedKeys(in.Languages)
			var speakers []float64
			for _, language := range languages {
				speakers = append(speakers, in.Languages[language])
			}
			at := &place{
				region: of.Region, clocks: newZone(in.Zone, in.Minutes, in.Summer), languages: languages,
				speaks: newRhythm(speakers...), providers: providers, mail: mail,
			}
			for _, text := range in.Numbers {
				if err := at.addNumbers(text); err != nil {
					panic("world: " + of.Region + " " + err.Error()) // they were checked
				}
			}
			made, inRegion = append(made, at), append(inRegion, in.Weight)
		}
		weights = append(weights, inRegion)
	}
	return made, weights
}

func sortedKeys[T any](of map[string]T) []string { return slices.Sorted(maps.Keys(of)) }

// placesOf are all places, and what picks one by the weights of regions; nil: the usual ones.
func placesOf(weightsOf map[string]float64, own []Place) ([]*place, *picker) {
	all := regions()
	made, zones := usualPlaces()
	if len(own) > 0 {
		all = withOwn(own)
		made, zones = zonesOf(all)
	}
	var weights []float64
	for i, of := range all {
		sum := 0.0
		for _, weight := range zones[i] {
			sum += weight
		}
		weight := of.Weight
		if weightsOf != nil {
			weight = weightsOf[of.Region]
		}
		for _, part := range zones[i] {
			weights = append(weights, weight*part/sum)
		}
	}
	return made, newPicker(weights)
}

// checkPlaces finds what is wrong with the regions and names that a user gives: which one, and why.
func checkPlaces(places []Place, names map[string]Names) (of, reason string) {
	seen := map[string]bool{}
	for _, p := range places {
		switch {
		case len(p.Region) != 2 || strings.ToUpper(p.Region) != p.Region:
			return p.Region, "is no code of a region, of two capital letters (ISO 3166)"
		case seen[p.Region]:
			return p.Region, "is there twice"
		case !(p.Weight >= 0 && p.Weight <= mostWeight) || !areWeights(p.Mailboxes) && len(p.Mailboxes) > 0:
			return p.Region, "has a weight that is not from 0 to 1000"
		case len(p.Zones) == 0:
			return p.Region, "has no zones"
		}
		seen[p.Region] = true
		for _, z := range p.Zones {
			if reason := z.wrong(); reason != "" {
				return p.Region + " " + z.Zone, reason
			}
		}
	}
	for _, language := range sortedKeys(names) {
		all := slices.Concat(names[language].Given, names[language].Family)
		if len(names[language].Given) == 0 || len(names[language].Family) == 0 {
			return language, "needs given and family names"
		}
		if at := slices.IndexFunc(all, func(name string) bool { return name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != "" }); at >= 0 {
			return language, fmt.Sprintf("has the name %q; those of mail addresses have letters from a to z", all[at])
		}
	}
	return "", ""
}

// mostWeight is the largest weight of a region.
const mostWeight = 1000

// areWeights reports whether some weights are in their bounds, and one is above zero.
func areWeights(weights map[string]float64) bool {
	above := false
	for _, weight := range weights {
		if !(weight >= 0 && weight <= mostWeight) {
			return false
		}
		above = above || weight > 0
	}
	return above
}

// wrong says what is wrong with a zone; empty: nothing.
func (z *Zone) wrong() string {
	switch {
	case z.Zone == "" || !(z.Weight > 0 && z.Weight <= mostWeight):
		return "needs a name, and a weight above 0 and up to 1000"
	case z.Minutes < -14*60 || z.Minutes > 14*60:
		return fmt.Sprintf("is %d minutes ahead of UTC; it must be from -840 to 840", z.Minutes)
	case z.Summer != "" && z.Summer != "europe" && z.Summer != "america" && z.Summer != "australia":
		return fmt.Sprintf("has the summer %q; it must be europe, america, australia or empty", z.Summer)
	case !areWeights(z.Languages):
		return "needs languages, by weights from 0 to 1000"
	}
	for _, text := range z.Numbers {
		if err := new(place).addNumbers(text); err != nil {
			return err.Error()
		}
	}
	return ""
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
		p.numbers = append(p.numbers, numberRange{prefix, len(from), first, p.lines})
	}
	return nil
}

// appendNumber adds the telephone number of a line.
func (p *place) appendNumber(dst []byte, line int64) []byte {
	at, _ := slices.BinarySearchFunc(p.numbers, line, func(r numberRange, line int64) int {
		if r.end <= line {
			return -1
		}
		return 1
	})
	of, before := &p.numbers[at], int64(0)
	if at > 0 {
		before = p.numbers[at-1].end
	}
	dst = append(dst, of.prefix...)
	number, unit := of.first+line-before, int64(1)
	for range of.digits - 1 {
		unit *= 10
	}
	for ; unit > 0; unit /= 10 {
		dst = append(dst, '0'+byte(number/unit%10))
	}
	return dst
}

func providersOf(weights map[string]float64) (made []mailbox, mail *rhythm) {
	list := []float64{ownDomain}
	made = append(made, mailbox{name: otherProvider})
	for _, name := range sortedKeys(weights) {
		domain := strings.ReplaceAll(strings.ToLower(name), " ", "") + ".example"
		made, list = append(made, mailbox{name, domain}), append(list, weights[name])
	}
	return made, newRhythm(list...)
}
