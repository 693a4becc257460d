package arrival

import (
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/mixer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// again is how much later at most an event comes for the second time.
const again = 24 * time.Hour

// Files are the files whose rows arrive: who there is, and what was asked for.
type Files struct {
	Arrival
	Seed uint64
	// From, To and Now are in seconds since 1970: the first second inside of the
	// window, the first behind it, and the last that has passed.
	From, To, Now int64
	// Floor is the first second of which the files may tell.
	Floor   int64
	Journey []world.Step
	// Distinct says that a row stands for all events of a recipient: it arrives with the first of them, and none comes again.
	Distinct bool
}

// Reaches is from when on the rows of the world are wanted: some before the window come again in it.
func (f Files) Reaches() int64 {
	if f.Duplicates == 0 || f.Distinct {
		return f.From
	}
	return min(f.From, max(f.From-int64(again.Seconds()), f.Floor))
}

// View is what has arrived of the rows of a view, from [Files.Reaches] on.
func (f Files) View() *View {
	made := &View{files: f, late: chanceOf(f.Late.Share), twice: chanceOf(f.Duplicates), skewed: chanceOf(f.Skew.Share)}
	devices := Devices(f.Journey)
	for _, step := range f.Journey {
		made.devices = append(made.devices, slices.Contains(devices, step.Event))
	}
	for i, name := range []string{"late", "duplicates", "skew"} {
		made.keys[i] = mixer.Mix(f.Seed, mixer.Name("arrival "+name))
	}
	return made
}

// Devices are the events of a journey of which devices tell: what a person does in an app or
// with a push message. Servers tell of all others, in time.
func Devices(journey []world.Step) (names []string) {
	byDevice := map[string]bool{}
	for range journey { // as often as there may be steps before one
		for _, step := range journey {
			cause := slices.IndexFunc(journey, func(s world.Step) bool { return s.Event == step.After })
			if cause >= 0 && (step.Person || byDevice[step.After]) {
				root := journey[cause]
				for root.After != "" {
					next := slices.IndexFunc(journey, func(s world.Step) bool { return s.Event == root.After })
					root = journey[next]
				}
				byDevice[step.Event] = root.Channel == "push" || root.Channel == ""
			}
		}
	}
	for _, step := range journey {
		if byDevice[step.Event] {
			names = append(names, step.Event)
		}
	}
	return names
}

// chanceOf is a share as a bound that the upper half of a random number stays under.
func chanceOf(share float64) uint64 { return uint64(share * (1 << 32)) }

// View is what has arrived of a view.
type View struct {
	files               Files
	devices             []bool // by event: a device tells of it
	keys                [3]uint64
	late, twice, skewed uint64
}

// Row is a row of a file: whom it is about, what identifies it, when it happened, and the place of its event in the journey.
type Row struct {
	Person int64
	Key    uint64
	Time   int64
	Event  int
}

// Fate is what becomes of a row.
type Fate struct {
	// Arrives is when it arrives, in seconds since 1970.
	Arrives int64
	// Missing says that it belongs to the file and has not arrived.
	Missing bool
	// Copies is how often it is in the file.
	Copies int
	// Outside says that it belongs to a window before, and comes again.
	Outside bool
	// Skew is by how many seconds its date is wrong, and Shift by how many it stands behind its place.
	Skew, Shift int64
}

// unordered is how far rows stand behind their places at most.
const unordered = 3_600

// Of is what becomes of a row.
func (v *View) Of(row Row) (fate Fate) {
	fate.Arrives = v.arrives(row)
	home := row.Time >= v.files.From
	if v.devices[row.Event] {
		fate.Skew = v.skew(row.Person)
	}
	if v.files.Unordered {
		fate.Shift = int64(mixer.Mix(mixer.Mix(v.keys[1], row.Key), 3) % unordered)
	}
	if fate.Arrives > v.files.Now {
		fate.Missing = home
		return fate
	}
	fate.Copies = count(home)
	if v.twice == 0 || v.files.Distinct {
		return fate
	}
	random := mixer.Mix(v.keys[1], row.Key)
	if random>>32 >= v.twice {
		return fate
	}
	at := fate.Arrives
	if random%20 == 0 {
		at += 1 + int64(mixer.Mix(random, 1)%uint64(again/time.Second))
	}
	switch second := at <= v.files.Now && at < v.files.To; {
	case home && (second || random%20 > 0):
		fate.Copies = 2
	case !home && second && random%20 == 0 && at >= v.files.From:
		fate.Copies, fate.Outside = 1, true
	}
	return fate
}

func count(there bool) int {
	if there {
		return 1
	}
	return 0
}

// Arrived reports whether a row has arrived.
func (v *View) Arrived(row Row) bool { return v.arrives(row) <= v.files.Now }

// arrives is when the row arrives: a device tells of what happened at once, or when it is online again. What happened later never
// arrives earlier, so effects do not arrive before their causes.
func (v *View) arrives(row Row) int64 {
	if v.late == 0 || !v.devices[row.Event] {
		return row.Time
	}
	length := int64(v.files.Late.UpTo / time.Second)
	person := mixer.Mix(v.keys[0], uint64(row.Person))
	offset := int64(person % uint64(length))
	slot := (row.Time + offset) / length
	if mixer.Mix(person, uint64(slot))>>32 >= v.late {
		return row.Time
	}
	return (slot+1)*length - offset
}

// skew is by how many seconds the clock of a person is wrong.
func (v *View) skew(profile int64) int64 {
	random := mixer.Mix(v.keys[2], uint64(profile))
	if random>>32 >= v.skewed {
		return 0
	}
	most := int64(v.files.Skew.UpTo / time.Second)
	if wrong := int64(mixer.Mix(random, 2)%uint64(2*most)) - most; wrong != 0 {
		return wrong
	}
	return most
}
