package simulation

import (
	_ "embed"
	"encoding/json"
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

type regionData struct {
	Region    string             `json:"region"`
	Weight    float64            `json:"weight"`
	Mailboxes map[string]float64 `json:"mailboxes"`
	Zones     []struct {
		Zone      string             `json:"zone"`
		Minutes   int64              `json:"minutes"`
		Summer    string             `json:"summer"`
		Weight    float64            `json:"weight"`
		Languages map[string]float64 `json:"languages"`
		Numbers   []string           `json:"numbers"`
	} `json:"zones"`
}

// nameList are the names of the people who speak a language.
type nameList struct {
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

var regions = sync.OnceValue(func() (all []regionData) {
	if err := json.Unmarshal(regionsFile, &all); err != nil {
		panic("simulation: regions.json: " + err.Error())
	}
	return all
})

var nameLists = sync.OnceValue(func() (all map[string]*nameList) {
	if err := json.Unmarshal(namesFile, &all); err != nil {
		panic("simulation: names.json: " + err.Error())
	}
	return all
})

// Regions are the codes of the regions that people may live in.
func Regions() (codes []string) {
	for _, of := range regions() {
		codes = append(codes, of.Region)
	}
	return codes
}

var usualPlaces = sync.OnceValues(func() ([]*place, [][]float64) {
	var made []*place
	var weights [][]float64
	for _, of := range regions() {
		providers, mail := providersOf(of.Mailboxes)
		var inRegion []float64
		for _, in := range of.Zones {
			languages := slices.Sorted(maps.Keys(in.Languages))
			var speakers []float64
			for _, language := range languages {
				speakers = append(speakers, in.Languages[language])
			}
			at := &place{
				region: of.Region, clocks: newZone(in.Zone, in.Minutes, in.Summer), languages: languages,
				speaks: newRhythm(speakers...), providers: providers, mail: mail,
			}
			for _, text := range in.Numbers {
				at.addNumbers(text)
			}
			made, inRegion = append(made, at), append(inRegion, in.Weight)
		}
		weights = append(weights, inRegion)
	}
	return made, weights
})

// placesOf are all places, and what picks one by the weights of regions; nil: the usual ones.
func placesOf(own map[string]float64) ([]*place, *picker) {
	made, zones := usualPlaces()
	var weights []float64
	for i, of := range regions() {
		all := 0.0
		for _, weight := range zones[i] {
			all += weight
		}
		weight := of.Weight
		if own != nil {
			weight = own[of.Region]
		}
		for _, part := range zones[i] {
			weights = append(weights, weight*part/all)
		}
	}
	return made, newPicker(weights)
}

// addNumbers adds the numbers of a text such as "+441134960 000-499".
func (p *place) addNumbers(text string) {
	prefix, span, _ := strings.Cut(text, " ")
	from, to, _ := strings.Cut(span, "-")
	first, err := strconv.ParseInt(from, 10, 64)
	last, wrong := strconv.ParseInt(to, 10, 64)
	if err != nil || wrong != nil || last < first || len(from) != len(to) {
		panic("simulation: regions.json: telephone numbers " + strconv.Quote(text))
	}
	p.lines += last - first + 1
	p.numbers = append(p.numbers, numberRange{prefix, len(from), first, p.lines})
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
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		domain := strings.ReplaceAll(strings.ToLower(name), " ", "") + ".example"
		made, list = append(made, mailbox{name, domain}), append(list, weights[name])
	}
	return made, newRhythm(list...)
}
