package world

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"
)

// weekPlan is what a stream sends in one week: to whom, when, and by which of
// its orchestrations.
type weekPlan struct {
	week    int64
	members int64       // how many there are
	blocks  int64       // of members
	order   permutation // of the blocks, each once per message that a member gets
	key     uint64
	sent    chance // of a message
	waves   []sendWave
	behind  []int64  // by wave: the first message behind it
	near    []uint16 // of every message whose number is a multiple of 1<<nearer: how many waves are before it
	nearer  int
	ends    []int64 // by part of the orchestrations: the first message behind it
	effects atomic.Pointer[[]weekEffect]
}

// sendWave is the messages of a part of the orchestrations in a week.
type sendWave struct {
	root         int // the step
	senders      []sender
	turns        []memberSet // of findTurns
	first, count int64
	start        int64 // of the first message, in seconds after the week begins
	length       int64 // seconds
	intensity    *intensity
	zoned        bool
	zone         int // of those who get them, if it is zoned
}

// silent reports whether a wave sends nothing in [from, to), in seconds after
// the week begins.
func (wave *sendWave) silent(from, to int64) bool {
	return to <= wave.start || from >= wave.start+wave.length
}

// countUntil is the number of messages of a wave that are sent before an
// offset in the week.
func (wave *sendWave) countUntil(offset int64) int64 {
	return wave.intensity.countBefore(offset-wave.start, wave.count)
}

// orchestration sends messages of one channel: all the time, or in one burst a
// week.
type orchestration struct {
	channel channel
	burst   bool
	local   bool // by the clocks of those who get them
	shown   bool // profiles tell of it; the others exist for legacy campaigns only
	nth     int  // of those that do both or neither send in bursts
	share   int64
	part    part
}

// part is which of the messages of a week an orchestration sends, in shares: one of
// e-mail is one. Those of a channel that send all the time take turns in one part,
// which is looked at once for all of them.
type part struct {
	before, width int64
	nth, among    int64
}

// turnBits is how many messages an orchestration sends in its turn, in bits.
const turnBits = 4

// orchestrationsOf shares orchestrations among the channels. Every other one of a
// channel is sent in bursts. Behind them are as many more as it takes to have one
// of either kind in each channel, which every token of a campaign and every
// transactional group needs.
func orchestrationsOf(count int) (list []orchestration) {
	channels := [...]struct {
		channel channel
		weight  int   // of orchestrations
		share   int64 // of messages, each: push messages cost nothing
	}{{channelEmail, 6, 1}, {channelSMS, 2, 1}, {channelPush, 4, 3}}
	var given [len(channels)]int
	for len(list) < count || slices.Min(given[:]) < 2 {
		next := 0
		for i := range channels {
			if (given[i]*2+1)*channels[next].weight < (given[next]*2+1)*channels[i].weight {
				next = i
			}
		}
		list = append(list, orchestration{channel: channels[next].channel, burst: given[next]%2 == 0, shown: len(list) < count, share: channels[next].share})
		given[next]++
	}
	kinds := map[bool]int{}
	for i := range list {
		list[i].nth = kinds[list[i].burst]
		kinds[list[i].burst]++
	}
	before := int64(0)
	for _, from := range channels {
		var steady []*orchestration
		width := int64(0)
		for i := range list {
			if o := &list[i]; o.shown && !o.burst && o.channel == from.channel {
				steady, width = append(steady, o), width+o.share
			}
		}
		for nth, o := range steady {
			o.part = part{before, width, int64(nth), int64(len(steady))}
		}
		before += width
	}
	for _, shown := range []bool{true, false} {
		for i := range list {
			if o := &list[i]; o.shown == shown && o.part.among == 0 {
				o.part = part{before, o.share, 0, 1}
				before += o.share
			}
		}
	}
	return list
}

// sender is an orchestration in a stream: its number, and the step that its
// messages begin with.
type sender struct {
	number int32
	root   int
	burst  bool
	local  bool
	part   part
}

// takesTurnsWith reports whether both send in one part of the messages, with the same
// first step and clocks.
func (s *sender) takesTurnsWith(other *sender) bool {
	return s.part.before == other.part.before && s.root == other.root && s.local == other.local && !s.burst && !other.burst
}

// hasTurn reports whether it sends a message of its part.
func (s *sender) hasTurn(number int64) bool {
	return s.part.among == 1 || number>>turnBits%s.part.among == s.part.nth
}

// of are the messages of a batch, by its first, that the senders of a wave have.
func (wave *sendWave) of(first int64) memberSet {
	if wave.turns == nil {
		return wholeBlock
	}
	return wave.turns[uint64(first)>>turnBits%uint64(len(wave.turns))]
}

// findTurns makes known which messages of a batch its senders have, by whose turn it is first; nil: all.
func (wave *sendWave) findTurns() {
	among := wave.senders[0].part.among
	if len(wave.senders) == int(among) {
		return
	}
	wave.turns = make([]memberSet, among)
	for turn := range wave.turns {
		for at := int64(0); at < blockSize; at += 1 << turnBits {
			if slices.ContainsFunc(wave.senders, func(s sender) bool { return s.hasTurn(int64(turn)<<turnBits + at) }) {
				wave.turns[turn] |= firstMembers(1<<turnBits) << at
			}
		}
	}
}

// senderOf is the orchestration that sends a message of the wave.
func (wave *sendWave) senderOf(number int64) int32 {
	for i := range wave.senders {
		if wave.senders[i].hasTurn(number) {
			return wave.senders[i].number
		}
	}
	return wave.senders[0].number
}

// sendersOf are the orchestrations that send the messages of a journey to
// profiles. The first steps of one channel take turns; those without a channel
// have orchestrations of their own, behind all others.
func (w *World) sendersOf(j *journey) (list []sender) {
	for number, o := range w.orchestrations.all {
		if o.shown {
			list = append(list, j.senderOf(number, o)...)
		}
	}
	for i, root := range j.rootsOf(channelNone) {
		list = append(list, w.extraSender(i, root))
	}
	return inParts(list)
}

// pushSenders are the orchestrations that send push messages, to whatever interface.
func (w *World) pushSenders(j *journey) (list []sender) {
	for number, o := range w.orchestrations.all {
		if o.channel == channelPush {
			list = append(list, j.senderOf(number, o)...)
		}
	}
	return inParts(list)
}

// inParts puts orchestrations in the order of their parts.
func inParts(list []sender) []sender {
	slices.SortStableFunc(list, func(a, b sender) int {
		return cmp.Or(cmp.Compare(a.part.before, b.part.before), cmp.Compare(a.root, b.root), compareClocks(a, b))
	})
	return list
}

// senderOf is an orchestration that sends the messages of a journey; none if that
// has no step to begin with.
func (j *journey) senderOf(number int, o orchestration) []sender {
	roots := j.rootsOf(o.channel)
	if len(roots) == 0 {
		return nil
	}
	root := roots[number%len(roots)]
	return []sender{{number: int32(number), root: root, burst: o.burst && j.steps[root].nature.burst, local: o.local, part: o.part}}
}

// extraSender is the orchestration of a first step without a channel.
func (w *World) extraSender(i, root int) sender {
	behind := int64(i)
	for _, o := range w.orchestrations.all {
		behind += o.share
	}
	return sender{number: int32(len(w.orchestrations.all) + i), root: root, part: part{behind, 1, 0, 1}}
}

// sendersOfTarget are the orchestrations of a campaign or group.
func (w *World) sendersOfTarget(key uint64, j *journey) (list []sender) {
	for _, root := range j.roots {
		made := w.senderOf(key, j, root)
		if !slices.ContainsFunc(list, func(s sender) bool { return s.number == made.number }) {
			list = append(list, made)
		}
	}
	return inParts(list)
}

// senderOf is the orchestration of a campaign or group whose messages begin with
// a step: one of those of its channel, as its key chooses. A campaign is one that
// sends in bursts, a group one that sends all the time.
func (w *World) senderOf(key uint64, j *journey, root int) sender {
	if i := slices.Index(j.rootsOf(channelNone), root); i >= 0 {
		return w.extraSender(i, root)
	}
	var choice []sender
	for number, o := range w.orchestrations.all {
		if o.channel == j.steps[root].channel && o.burst == j.steps[root].nature.burst && (o.shown || len(choice) == 0) {
			choice = append(choice, sender{number: int32(number), root: root, burst: o.burst, local: o.local, part: o.part})
		}
	}
	return choice[below(draw(key, 0), int64(len(choice)))]
}

func (s *stream) newWeekPlan(inWeek int64) *weekPlan {
	made := &weekPlan{week: inWeek, key: draw(s.key, uint64(inWeek))}
	made.members = s.recipients.size(inWeek)
	if made.sent = math.MaxUint64; s.recipients.sent != nil {
		made.sent = s.recipients.sent(inWeek)
	}
	made.blocks = blocksOf(made.members)
	made.order = newPermutation(made.key, s.messagesPerMember*made.blocks)
	of, all := s.parts, s.weekly*made.blocks*blockSize
	for _, part := range s.recipients.parts {
		made.ends = append(made.ends, all*(part.before+part.width)/of)
	}
	for _, from := range s.senders {
		if last := len(made.waves) - 1; last >= 0 && s.recipients.using == nil && made.waves[last].senders[0].takesTurnsWith(&from) {
			for i := last; i >= 0 && made.waves[i].senders[0].takesTurnsWith(&from); i-- { // one for each zone
				made.waves[i].senders = append(made.waves[i].senders, from)
			}
			continue
		}
		wave := sendWave{root: from.root, senders: []sender{from}, length: week, intensity: s.rhythm.steady}
		wave.first = all * from.part.before / of
		wave.count = all*(from.part.before+from.part.width)/of - wave.first
		if from.burst {
			wave.start, wave.length = s.burstStart(int(from.number), inWeek), s.rhythm.buckets*bucket
			wave.intensity = s.rhythm.burst
		}
		made.waves = s.appendZoned(made.waves, wave, inWeek)
	}
	for i := range made.waves {
		made.waves[i].findTurns()
		made.behind = append(made.behind, made.waves[i].first+made.waves[i].count)
	}
	made.findNear()
	return made
}

// findNear makes it known which waves come next.
func (plan *weekPlan) findNear() {
	if len(plan.behind) == 0 {
		return
	}
	end, low := plan.behind[len(plan.behind)-1], 0
	plan.nearer = max(bits.Len64(uint64(end))-nearWaves, 0)
	for number := int64(0); number < end; number += 1 << plan.nearer {
		for plan.behind[low] <= number {
			low++
		}
		plan.near = append(plan.near, uint16(low))
	}
}

// nearWaves is of how many parts of a week the waves are known that come next, in bits.
const nearWaves = 8

// wavesFrom are the waves of which some message has at least a number, which one has.
func (plan *weekPlan) wavesFrom(number int64) []sendWave {
	low := int(plan.near[number>>plan.nearer])
	for plan.behind[low] <= number {
		low++
	}
	return plan.waves[low:]
}

// weekPlanCache caches the plans of the latest weeks: consecutive rows of a file use the
// same ones, as far back as the seasons in which people start the app.
type weekPlanCache struct{ entries [256]atomic.Pointer[weekPlan] }

func (s *stream) planOf(inWeek int64) *weekPlan {
	place := &s.kept.plans.entries[uint64(inWeek)%uint64(len(s.kept.plans.entries))]
	if kept := place.Load(); kept != nil && kept.week == inWeek {
		return kept
	}
	made := s.newWeekPlan(inWeek)
	place.Store(made)
	return made
}
