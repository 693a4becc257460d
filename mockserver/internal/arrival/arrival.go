// Package arrival lets rows of events come as they come from devices that are offline, from networks that deliver twice, and from clocks
// that are wrong: late, again, with other dates, and in any order. Who is late, and for how long, is a function of the seed, the person
// and the time, so that it is the same in all files.
package arrival

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Arrival is how rows arrive. The zero value is on time, once, and in order.
type Arrival struct {
	// Late is the share of the events of devices that arrive late, and up to how
	// late: a device that was offline tells of them when it is online again.
	Late Spread
	// Duplicates is the share of events that are in the files twice: one in twenty
	// of them in the next window, the others in the same file.
	Duplicates float64
	// Skew is the share of people whose clock is wrong, and by how much at most.
	Skew Spread
	// Unordered turns the order of rows around, a few at a time.
	Unordered bool
}

// Spread is a share of all, and the most that it is about.
type Spread struct {
	Share float64
	UpTo  time.Duration
}

// Bounds of a [Spread].
const (
	leastUpTo = time.Minute
	mostUpTo  = 28 * 24 * time.Hour
)

// IsZero reports whether rows arrive on time, once, and in order.
func (a Arrival) IsZero() bool { return a == Arrival{} }

// ParseSpread reads a share and a duration, such as "0.03,72h".
func ParseSpread(text string) (Spread, error) {
	share, upTo, found := strings.Cut(text, ",")
	value, err := ParseShare(strings.TrimSpace(share))
	if err != nil || !found {
		return Spread{}, fmt.Errorf("%q is not a share and a duration: write for example 0.03,72h", text)
	}
	most, err := time.ParseDuration(strings.TrimSpace(upTo))
	if err != nil || most < leastUpTo || most > mostUpTo || most%time.Second != 0 {
		return Spread{}, fmt.Errorf("%q is not a duration from 1m to 672h, in whole seconds", upTo)
	}
	return Spread{value, most}, nil
}

func (s Spread) String() string { return formatShare(s.Share) + "," + s.UpTo.String() }

// ParseShare reads a number from 0 to 1.
func ParseShare(text string) (float64, error) {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= 1) {
		return 0, fmt.Errorf("%q is not a share from 0 to 1", text)
	}
	return value, nil
}

func formatShare(share float64) string { return strconv.FormatFloat(share, 'g', -1, 64) }

// Parse reads "none", or parts separated by semicolons, such as "late:0.03,72h;duplicates:0.003;skew:0.005,12h;unordered": those of
// a scenario, which may have an equals sign as there.
func Parse(text string) (made Arrival, err error) {
	if text == "none" {
		return Arrival{}, nil
	}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ";") {
		key, value := cut(part)
		if seen[key] {
			return Arrival{}, fmt.Errorf("%q is given twice", key)
		}
		seen[key] = true
		known, err := made.read(key, value)
		if known && value == "" && key != "unordered" {
			return Arrival{}, fmt.Errorf("%s says no share: write for example late:0.03,72h, duplicates:0.003 or skew:0.005,12h", key)
		} else if !known || value != "" && key == "unordered" {
			return Arrival{}, fmt.Errorf("%q is not known: use none alone, or late:SHARE,UP-TO such as late:0.03,72h, duplicates:SHARE, skew:SHARE,UP-TO and unordered, separated by semicolons", part)
		} else if err != nil {
			return Arrival{}, fmt.Errorf("%s: %w", key, err)
		}
	}
	return made, nil
}

// cut is a part as its name and what stands behind it.
func cut(part string) (key, value string) {
	if at := strings.IndexAny(part, ":="); at >= 0 {
		return strings.TrimSpace(part[:at]), strings.TrimSpace(part[at+1:])
	}
	return strings.TrimSpace(part), ""
}

// read reads one part.
func (a *Arrival) read(key, value string) (known bool, err error) {
	switch key {
	case "late":
		a.Late, err = ParseSpread(value)
	case "duplicates":
		a.Duplicates, err = ParseShare(value)
	case "skew":
		a.Skew, err = ParseSpread(value)
	case "unordered":
		a.Unordered = true
	default:
		return false, nil
	}
	return true, err
}

// Words are how rows arrive, such as late and unordered, from a list of words and of what [Parse] takes: none, and parts with their shares.
func Words(text string) (words []string, err error) {
	for list := range strings.SplitSeq(text, ";") {
		for more := true; more; {
			var word, upTo string // late:SHARE,UP-TO has a comma of its own
			word, list, more = strings.Cut(list, ",")
			word, share := cut(word)
			if share != "" {
				if more && (word == "late" || word == "skew") {
					upTo, list, more = strings.Cut(list, ",")
					share += "," + upTo
				}
				if known, err := new(Arrival).read(word, share); err != nil {
					return nil, fmt.Errorf("%s: %w", word, err)
				} else if !known || word == "unordered" {
					return nil, fmt.Errorf("%q is not known; only late, duplicates and skew may have a share, such as late:0.03,72h", word+":"+share)
				}
			}
			if word != "none" {
				words = append(words, word)
			}
		}
	}
	return words, nil
}

// Over is the arrival with what a weaker one says and it does not.
func (a Arrival) Over(weaker Arrival) Arrival {
	if a.Late == (Spread{}) {
		a.Late = weaker.Late
	}
	if a.Duplicates == 0 {
		a.Duplicates = weaker.Duplicates
	}
	if a.Skew == (Spread{}) {
		a.Skew = weaker.Skew
	}
	a.Unordered = a.Unordered || weaker.Unordered
	return a
}

// String writes the parts of a scenario that ask for it.
func (a Arrival) String() string {
	var parts []string
	if a.Late != (Spread{}) {
		parts = append(parts, "late="+a.Late.String())
	}
	if a.Duplicates != 0 {
		parts = append(parts, "duplicates="+formatShare(a.Duplicates))
	}
	if a.Skew != (Spread{}) {
		parts = append(parts, "skew="+a.Skew.String())
	}
	if a.Unordered {
		parts = append(parts, "unordered")
	}
	return strings.Join(parts, ";")
}

// MarshalText writes the form of [Arrival.String].
func (a Arrival) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the form of [Arrival.String].
func (a *Arrival) UnmarshalText(text []byte) error {
	made := Arrival{}
	for part := range strings.SplitSeq(string(text), ";") {
		key, value, _ := strings.Cut(part, "=")
		known, err := made.read(key, value)
		if !known {
			return fmt.Errorf("%q says nothing about how rows arrive", part)
		}
		if err != nil {
			return err
		}
	}
	*a = made
	return nil
}
