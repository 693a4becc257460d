package budget

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"
)

// Limits are what may be used of each budget; 0 means its default.
type Limits struct {
	// Body is the size of the largest payload of the export API, in bytes.
	Body int64
	// Upload are the bytes of snapshots and rows that clients send at a time.
	Upload int64
	// Data and DataRows are the size of datasets: the bytes of what is loaded at once, and the rows of the server's and of those of keys.
	Data, DataRows int64
	// Kept are the bytes of small files that stay in memory.
	Kept int64
	// Disk are the bytes of temporary files, those of exports among them.
	Disk int64
	// Connections is how many connections are open at a time.
	Connections int64
	// Journal are the bytes of the journal.
	Journal int64
	// Exports are the bytes of export requests in a state that is kept in memory.
	Exports int64
	Times
	// Free returns how many bytes the disk of a directory has room for; nil asks the operating system.
	Free func(directory string) (bytes int64, known bool)
}

// Times are how long things may take.
type Times struct {
	// Work is how long the work of one request may take, but for waiting and for
	// sending a file, whose blocks have deadlines of their own.
	Work time.Duration
	// Wait is how long work waits for its share of a budget that others use.
	Wait time.Duration
}

// Definition is a budget before anything is used of it.
type Definition struct {
	// Name is what messages and metrics call it.
	Name Name
	// Key is that of the limit from which its own follows; empty where none does.
	Key  string
	Unit Unit
	// Things are what is counted, or what the bytes are of.
	Things string
	// Default is the limit unless another one is set, from Low to High.
	Default, Low, High int64
	// Relief says what makes room where waiting does not; empty: others give it back.
	Relief string
	// Sent tells that what is too large is so because a client sent it.
	Sent bool

	of func(*Limits) *int64
}

// Unit is what a budget counts.
type Unit string

// The units.
const (
	Bytes    Unit = "bytes"
	Count    Unit = "count"
	Duration Unit = "duration"
)

// Text writes an amount of what the budget counts, without its noun.
func (d Definition) Text(amount int64) string {
	switch d.Unit {
	case Bytes:
		return BytesText(amount)
	case Duration:
		text := time.Duration(amount).String()
		if strings.HasSuffix(text, "m0s") {
			text = strings.TrimSuffix(text, "0s")
		}
		return text
	}
	return fmt.Sprint(amount)
}

// Amount is Text with its noun.
func (d Definition) Amount(amount int64) string {
	things := d.Things
	switch {
	case things == "":
		return d.Text(amount)
	case d.Unit == Bytes:
		return d.Text(amount) + " of " + things
	case amount == 1:
		first, rest, _ := strings.Cut(things, " ")
		things = strings.TrimSpace(strings.TrimSuffix(first, "s") + " " + rest)
	}
	return d.Text(amount) + " " + things
}

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
	gib = int64(1) << 30
	tib = int64(1) << 40
)

// Name names a budget.
type Name string

// The budgets; see Limits.
const (
	Body        Name = "body"
	Upload      Name = "upload"
	Data        Name = "data"
	DataRows    Name = "data-rows"
	Kept        Name = "kept"
	Disk        Name = "disk"
	Connections Name = "connections"
	Journal     Name = "journal"
	Exports     Name = "exports"
	Work        Name = "work"
	Wait        Name = "wait"
)

// Definitions are all budgets.
func Definitions() []Definition {
	return []Definition{
		{Name: Body, Things: "a payload", Key: KeyBody, Unit: Bytes, Default: mib, Low: kib, High: 64 * mib, Sent: true,
			of: func(l *Limits) *int64 { return &l.Body }},
		{Name: Upload, Things: "snapshots and rows", Key: KeyBody, Unit: Bytes, Default: 64 * mib, Low: mib, High: 16 * gib, Sent: true,
			of: func(l *Limits) *int64 { return &l.Upload }},
		{Name: Data, Things: "files of the dataset", Key: KeyDisk, Unit: Bytes, Default: 4 * gib, Low: mib, High: 16 * tib,
			of: func(l *Limits) *int64 { return &l.Data }},
		{Name: DataRows, Things: "rows of the dataset", Key: KeyRows, Unit: Count, Default: 20_000_000, Low: 1, High: 1_000_000_000, Sent: true,
			of: func(l *Limits) *int64 { return &l.DataRows },
			Relief: "every load stays, for older exports: empty the state with DELETE /_mock/state, or what belongs to a key with DELETE " +
				"/_mock/state?key=KEY, or start the server with a higher --limit rows=N"},
		{Name: Kept, Things: "files in memory", Key: KeyMemory, Unit: Bytes, Default: 256 * mib, Low: mib, High: tib,
			of: func(l *Limits) *int64 { return &l.Kept }},
		{Name: Disk, Things: "temporary files", Key: KeyDisk, Unit: Bytes, Default: 16 * gib, Low: mib, High: 1024 * tib, Sent: true,
			of: func(l *Limits) *int64 { return &l.Disk }},
		{Name: Connections, Things: "connections", Key: KeyConnections, Unit: Count, Default: 16_384, Low: 8, High: 1_000_000,
			of: func(l *Limits) *int64 { return &l.Connections }},
		{Name: Journal, Things: "requests in the journal", Key: KeyMemory, Unit: Bytes, Default: 128 * mib, Low: mib, High: tib,
			of: func(l *Limits) *int64 { return &l.Journal }},
		{Name: Exports, Things: "export requests", Key: KeyMemory, Unit: Bytes, Default: gib, Low: mib, High: tib,
			of: func(l *Limits) *int64 { return &l.Exports }},
		{Name: Work, Unit: Duration, Default: int64(10 * time.Minute), Low: int64(time.Second), High: int64(24 * time.Hour),
			of: func(l *Limits) *int64 { return (*int64)(&l.Work) }},
		{Name: Wait, Unit: Duration, Default: int64(10 * time.Second), Low: int64(time.Millisecond), High: int64(10 * time.Minute),
			of: func(l *Limits) *int64 { return (*int64)(&l.Wait) }},
	}
}

// Of is the limit of a definition, to read and to set.
func (d Definition) Of(limits *Limits) *int64 { return d.of(limits) }

// Check refuses a limit that is out of bounds.
func (d Definition) Check(limit int64) error {
	if limit < d.Low || limit > d.High {
		return fmt.Errorf("is %s; it must be from %s to %s", d.Text(limit), d.Text(d.Low), d.Amount(d.High))
	}
	return nil
}

// ConnectionsBeyond is how many connections beyond their limit are answered at a time. They get a refusal, or whether the server is
// alive. The oldest makes room for the newest, so that idle ones keep nobody out.
const ConnectionsBeyond = 16

// Set are the budgets of a server.
type Set struct {
	byName map[Name]*Budget
	all    []*Budget
	times  Times
	free   func(directory string) (bytes int64, known bool)
}

// New makes budgets with limits; 0 is a default. The error names the budget.
func New(limits Limits) (*Set, error) {
	s, times := &Set{byName: map[Name]*Budget{}}, Limits{}
	for _, definition := range Definitions() {
		limit := *definition.of(&limits)
		if limit == 0 {
			limit = definition.Default
		}
		if err := definition.Check(limit); err != nil {
			return nil, fmt.Errorf("budget %s %w", definition.Name, err)
		}
		if definition.Unit == Duration {
			*definition.of(&times) = limit
			continue
		}
		if definition.Name == Connections {
			limit = connectionsFor(limit)
		}
		b := &Budget{Definition: definition, limit: limit, times: &s.times, shares: semaphore.NewWeighted(limit)}
		s.byName[b.Name], s.all = b, append(s.all, b)
	}
	s.times, s.free = times.Times, limits.Free
	if s.free == nil {
		s.free = freeOf
	}
	return s, nil
}

// Free returns how many bytes the disk of a directory has room for, where that can be known.
func (s *Set) Free(directory string) (bytes int64, known bool) { return s.free(directory) }

// All are the budgets in the order of their definitions, but for those of time, of which nothing is used up.
func (s *Set) All() []*Budget { return s.all }

// Of is the budget of a name.
func (s *Set) Of(name Name) *Budget { return s.byName[name] }
