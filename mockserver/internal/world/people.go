package world

import "math"

// Person is somebody who is simulated. A worker has one, which becomes one person after another.
type Person struct {
	w             *World
	number        int64
	key           uint64
	created       int64
	until         int64 // what happens from here on need not be known
	who           traits
	installations []installation
	leaves        int64 // when any of them is used last
	changes       [channels]changes
	stood         [channels]struct { // how the person could be written to when that was asked for last
		standing
		at           int64
		installation int
	}
	spells     []int64 // when the person stops being active, starts again, and so on
	sendings   []sending
	before     []sending // of the week in which one ended something
	happenings []happening
	memory     memory
	owned
}

// traits are what stays the same of a person.
type traits struct {
	home      *place
	language  string
	names     *Names
	given     uint16
	family    uint16
	hasCustom bool
	hasEmail  bool // sometimes
	hasPhone  bool
	clicks    bool   // others only look
	buys      bool   // others get no transactional messages
	level     uint8  // of activity
	line      int64  // of the telephone numbers of the place
	machine   uint64 // draws which machines read their mail
}

// Shares that nobody asks to change, in 256ths.
const (
	customShare     = 228 // of people whom the customer gave an identifier
	emailOfPhones   = 236 // of people with a telephone number who have an e-mail address
	devicesOfPhones = 210 // and of those who have an installation
	devicesOfOthers = 246 // of the others with an e-mail address
	furtherDevice   = 56  // of people with an installation who have one more
	clickShare      = 115 // of people who click what they open
	buyShare        = 128 // of people who buy
	mostDevices     = 4
)

// levels are the activity of sixteen parts of the people against the mean, in 1024ths: log-normal, with a sigma of 0.9.
var levels = [16]int64{133, 218, 287, 355, 424, 497, 576, 665, 766, 883, 1025, 1201, 1435, 1770, 2336, 3814}

// begin makes somebody of whom nothing is known yet.
func (p *Person) begin(n, until int64, key uint64) {
	p.number, p.until, p.key = n, until, key
	p.given, p.isOwn, p.upTo, p.active = nil, false, math.MaxInt32, 0
	for of := range p.changes {
		p.changes[of], p.stood[of].at = changes{list: p.changes[of].list[:0]}, maxTime
	}
}

// become makes the person number n, with what is told of until an instant; false: nobody has that number by then.
func (p *Person) become(n, until int64) bool {
	w := p.w
	p.begin(n, until, keyed(w.keys.people, uint64(n)))
	r := random{p.key}
	first, second := r.next(), r.next()
	p.who.home = w.places[w.living.pick(first)]
	p.created = p.who.home.clocks.utc(w.years.createdAbout(n) + w.rhythms.joining.second(second))
	if p.created >= until {
		return false
	}
	p.who.level = uint8(first >> 8 & 15)
	p.who.hasCustom = w.hasCustomID(n)
	p.who.clicks, p.who.buys = second>>8&255 < clickShare, second>>16&255 < buyShare
	p.who.machine = mix(second)
	devices := p.reach(r.next())
	p.call(first, r.next())
	p.who.hasPhone = p.who.hasPhone && p.who.home.lines > 0
	p.install(devices, &r)
	p.spend()
	return true
}

// call draws what the person speaks and is called, and the telephone number.
func (p *Person) call(first, third uint64) {
	p.who.language = p.who.home.languages[p.who.home.speaks.pick(first<<12)]
	p.who.names = p.w.names[p.who.language]
	if p.who.names == nil {
		p.who.names = p.w.names[plainNames]
	}
	p.who.given, p.who.family = uint16(below(third, int64(len(p.who.names.Given)))), uint16(below(third<<24, int64(len(p.who.names.Family))))
	if p.who.home.lines > 0 {
		p.who.line = int64(uint64(p.number)*linesApart%uint64(p.who.home.lines)) % p.who.home.lines
	}
}

// plainNames is the language whose names people have of whose own none are known.
const plainNames = "en"

// linesApart spreads neighbours over the telephone numbers of a place; it is prime.
const linesApart = 7_919

// reach draws by what a person can be reached, and how many devices there are.
func (p *Person) reach(drawn uint64) (devices int) {
	share := drawn >> 32 << 21 // as chances have it
	more, w := drawn, p.w
	p.who.hasEmail, p.who.hasPhone = true, false
	has := false
	switch {
	case share < uint64(w.odds.reach[0]): // push only
		p.who.hasEmail, has = false, true
	case share < uint64(w.odds.reach[1]): // e-mail only
	case share < uint64(w.odds.reach[2]):
		p.who.hasPhone, p.who.hasEmail, has = true, more&255 < emailOfPhones, more>>8&255 < devicesOfPhones
	default:
		has = more&255 < devicesOfOthers
	}
	if !has {
		return 0
	}
	for devices = 1; devices < mostDevices && more>>(8+8*devices)&255 < furtherDevice; devices++ {
	}
	return devices
}

// Spells: active people stop, and those who stopped come back after half a year, if ever.
const away = 26 * week

// spend draws when the person is active. They are when they are created.
func (p *Person) spend() {
	r := random{keyed(p.key, 700)}
	p.spells = p.spells[:0]
	if p.w.odds.active == 0 {
		return
	}
	for at, active := max(p.created, begins), true; at < p.until; active = !active {
		if active {
			at += exponential.draw(r.next(), p.w.odds.active)
		} else {
			at += exponential.draw(r.next(), away)
		}
		p.spells = append(p.spells, at)
	}
}

func (p *Person) isActive(at int64) bool {
	_, is := p.idle(at)
	return !is
}

// idle reports whether the person does nothing at an instant, and since when; of somebody who is active that is the instant.
func (p *Person) idle(at int64) (since int64, is bool) {
	for i := 0; i < len(p.spells) && p.spells[i] <= at; i += 2 {
		if i+1 == len(p.spells) || p.spells[i+1] > at {
			return p.spells[i], true
		}
	}
	return at, false
}

// Half of the looks at messages at night wait for the morning.
const night = 6 * hour

func (p *Person) awakeAt(at int64, drawn uint64) int64 {
	if shown := at + p.who.home.clocks.offset(at); drawn&1 == 0 && shown-floorDivide(shown, day)*day < night {
		return at + night
	}
	return at
}

// mailbox is the provider of an address of the person.
func (p *Person) mailbox(version int) *mailbox {
	return &p.who.home.providers[p.who.home.mail.pick(keyed(p.key, 500+uint64(version)))]
}
