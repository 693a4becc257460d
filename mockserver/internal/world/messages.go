package world

import (
	"math"
	"slices"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// messages is the view of the events of messages, in order of time.
type messages struct {
	world       *World
	span        span
	stream      *stream
	names       []string
	wantedSteps stepSet
	units       slotList
	about       subject
	groups      []stepGroup // of the wanted steps
	endings     []ending
	finders     *sync.Pool // of *eventFinder
	windows     *windows
}

// subject is whom the rows of a view of messages are about.
type subject struct {
	sessions bool // messages are shown while the app is used
	linked   bool // rows show an installation, and its profile while it is linked to it
}

func (w *World) messagesView(q Query, s span) (View, error) {
	made, err := newJourney(q.Journey, w.settings.Rates, &w.orchestrations.mixes)
	if err != nil {
		return nil, err
	}
	view := &messages{world: w, span: s, windows: &windows{rows: windowRows}, finders: &sync.Pool{New: func() any { return &eventFinder{} }}}
	for i, step := range made.steps {
		if step.variant.event == i {
			view.names = append(view.names, step.name)
		}
		if q.Events == nil || slices.Contains(q.Events, step.name) {
			view.wantedSteps.add(i)
		}
	}
	key := keyOf(w.seed, "stream "+q.Stream)
	switch {
	case q.View == vocabulary.ViewProfileMessages:
		view.stream, view.windows.rows = w.campaigns(made, w.sendersOf(made)), manyRows
	case len(made.rootsOf(channelNone)) == len(made.roots):
		view.about = subject{sessions: true, linked: true}
		view.stream = w.sessions(made)
		view.stream.recipients.outcome = draw(key, 2)
		view.stream.recipients.audience = w.audienceOf(key)
	default:
		view.about.linked = true
		view.stream = w.campaigns(made, w.sendersOfTarget(key, made))
	}
	view.endings = w.endingsOf(view.stream)
	if q.View == vocabulary.ViewInstallationRecipients {
		return &recipients{view, listedAs{
			links: q.ShowsLinks, plain: q.OnlyRecipients,
			furthest: view.stream.reachOf(view.wantedSteps), pool: &sync.Pool{New: func() any { return &listing{} }},
		}}, nil
	}
	view.units = view.stream.units(s, len(view.endings) > 0)
	view.groups = view.stream.groupsOf(view.wantedSteps)
	if q.View == vocabulary.ViewProfileMessages {
		return w.inSegment(view, q.Segment, s, 2*float64(view.stream.messagesPerMember), view.appendOf), nil
	}
	return view, nil
}

// campaigns is the stream of the messages of some orchestrations to all profiles.
// The messages of a week go to the profiles that existed when it began. Whatever
// shows them, a campaign or the events of profiles, they are the same ones.
func (w *World) campaigns(j *journey, senders []sender) *stream {
	// Of a number that is not whole, the next whole one is meant, and a part of it goes out.
	weekly := orDefault(w.settings.WeeklyMessages, DefaultWeeklyMessages)
	meant := math.Ceil(weekly)
	part := weekly / max(meant, 1)
	s := newStream(keyOf(w.seed, "campaigns"), int64(meant), w.profiles, j, w.orchestrations.all, senders)
	s.recipients.size = func(inWeek int64) int64 { return w.ProfilesAt(inWeek * week) }
	s.recipients.levels = func(b *batch) {
		b.levelSets = w.underEffects(b, b.ownLevels(w))
	}
	s.recipients.levelOf = w.levelUnderEffects
	s.recipients.asleep = func(b *batch) memberSet {
		seasons := w.seasonsOf(b.member>>blockBits, b.ownWords(w))
		awake, _ := w.awakeIn(&seasons, b.plan.week, wholeBlock)
		return ^awake
	}
	s.recipients.sent, s.recipients.parts = func(inWeek int64) chance { return sentIn(inWeek, part) }, w.orchestrations.parts
	s.rhythm.steady = weeklyIntensity
	s.recipients.inZone, s.recipients.zones = w.inZone, w.zonesOf
	s.rhythm.local, s.rhythm.quiet = sendingLocally()
	s.recipients.variant = func(m *message) uint64 { return w.variantOf(m.key, m.orchestration, m.plan.week, m.member) }
	return s
}

// sessions is the stream of the times at which in-app messages are shown, once a
// week to each person who starts the app in it, on one of their installations: the same
// times for all campaigns, since the app is started then (see [starts]).
func (w *World) sessions(j *journey) *stream {
	all, senders := []orchestration{}, []sender{}
	for number, root := range j.roots {
		all = append(all, orchestration{shown: true, share: 1})
		senders = append(senders, sender{number: int32(number), root: root, part: part{int64(number), 1, 0, 1}})
	}
	s := newStream(keyOf(w.seed, "stream of sessions"), int64(len(all)), w.profiles, j, all, senders)
	s.recipients.size = func(inWeek int64) int64 { return w.ProfilesAt(inWeek * week) }
	s.rhythm.app = appIntensities
	s.recipients.inZone, s.recipients.zones = w.inZone, w.zonesOf
	s.recipients.using = func(b *batch, members memberSet) memberSet {
		block := b.member >> blockBits
		seasons := w.seasonsOf(block, b.ownWords(w))
		using := w.usingIn(&seasons, b.plan.week, members)
		return using &^ w.ownership.withoutInstallation(block, using)
	}
	s.recipients.levels = func(b *batch) { b.levelSets = *b.ownLevels(w) }
	s.recipients.levelOf = func(b *batch, bit int) int { return levelIn(b.ownWords(w), int64(bit)) }
	return s
}

// audienceOf is who gets the in-app messages of a campaign: a share of the
// installations, of each block.
func (w *World) audienceOf(key uint64) func(block int64, members memberSet) memberSet {
	share := chanceOf(float64(leastAudience+below(draw(key, 0), mostAudience-leastAudience+1)) / 100)
	key = draw(key, 1)
	return func(block int64, members memberSet) memberSet {
		return share.sample(draw(key, uint64(block)), members)
	}
}

func (v *messages) Events() []string { return v.names }
func (v *messages) Units() int64     { return v.units.count }

func (v *messages) Append(rows []Row, unit int64) []Row {
	return v.windows.append(rows, v, v.units.slotOf(unit), v.units.following(unit))
}
