package budget

import "fmt"

// Main are the limits that users set; the others follow from them. 0 is the default of each.
type Main struct {
	// Memory are the bytes that the program may take: small files, the journal, and export
	// requests of a state in memory get parts of it. From 32 MiB to 16 TiB; 0 means 4 GiB.
	Memory int64
	// Disk are the bytes of temporary files; a dataset may have a quarter of it. From 1 MiB to 1 PiB; 0 means 16 GiB.
	Disk int64
	// Body is the size of the largest payload in bytes; snapshots and rows that clients send may have 64
	// times as much. From 1 KiB to 64 MiB; 0 means 1 MiB.
	Body int64
	// Connections is how many connections may be open at a time. From 8 to 1,000,000; 0 means 16,384.
	Connections int64
	// Rows is how many rows all datasets may have together. From 1 to 1,000,000,000; 0 means 20,000,000.
	Rows  int64
	exact *Limits
}

// Exact are limits of single budgets in place of those that follow, for tests.
func Exact(limits Limits) Main { return Main{exact: &limits} }

// The keys of [Main].
const (
	KeyMemory      = "memory"
	KeyDisk        = "disk"
	KeyBody        = "body"
	KeyConnections = "connections"
	KeyRows        = "rows"
)

// bounds are what the limits may be, by key.
var bounds = map[string]struct {
	low, high int64
	unit      Unit
	of        func(*Main) *int64
}{
	KeyMemory:      {32 * mib, 16 * tib, Bytes, func(m *Main) *int64 { return &m.Memory }},
	KeyDisk:        {mib, 1024 * tib, Bytes, func(m *Main) *int64 { return &m.Disk }},
	KeyBody:        {kib, 64 * mib, Bytes, func(m *Main) *int64 { return &m.Body }},
	KeyConnections: {8, 1_000_000, Count, func(m *Main) *int64 { return &m.Connections }},
	KeyRows:        {1, 1_000_000_000, Count, func(m *Main) *int64 { return &m.Rows }},
}

// Set sets the limit of a key, which is a number or a size such as 512MiB.
func (m *Main) Set(key, text string) error {
	bound, known := bounds[key]
	if !known {
		return fmt.Errorf("%s is not known", key)
	}
	limit, err := ParseBytes(text)
	if err != nil {
		return fmt.Errorf("%s %w", key, err)
	}
	if limit < bound.low || limit > bound.high {
		unit := Definition{Unit: bound.unit}
		return fmt.Errorf("%s is %s; it must be from %s to %s", key, unit.Text(limit), unit.Text(bound.low), unit.Text(bound.high))
	}
	*bound.of(m) = limit
	return nil
}

// Limits are the limits of all budgets.
func (m Main) Limits() (Limits, error) {
	for key, bound := range bounds {
		if limit := *bound.of(&m); limit != 0 {
			if err := m.Set(key, fmt.Sprint(limit)); err != nil {
				return Limits{}, err
			}
		}
	}
	limits := Limits{
		Body: m.Body, Upload: min(64*m.Body, 16*gib), Data: m.Disk / 4, Disk: m.Disk, DataRows: m.Rows, Connections: m.Connections,
		Exports: m.Memory / 4, Kept: m.Memory / 16, Journal: m.Memory / 32,
	}.raised()
	if m.exact == nil {
		return limits, nil
	}
	limits.Free = m.exact.Free
	for _, definition := range Definitions() {
		if exact := *definition.of(m.exact); exact != 0 {
			*definition.of(&limits) = exact
		}
	}
	return limits, nil
}

// raised lets no limit that follows from another be below what it needs.
func (l Limits) raised() Limits {
	for _, definition := range Definitions() {
		if limit := definition.of(&l); *limit != 0 {
			*limit = max(*limit, definition.Low)
		}
	}
	return l
}
