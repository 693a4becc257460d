package record

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"

// Trace is what an event leaves with its profile and its installation.
type Trace struct {
	When                              Moment
	EventType                         string
	Collection, Tag, Attribute, Value string
}

// TraceDigest is the traces up to an event by which dates are told: the first of
// all, and the last of each type.
type TraceDigest []Trace

// Add adds the next trace.
func (kept *TraceDigest) Add(t Trace) {
	t = Trace{When: t.When, EventType: t.EventType}
	for i := 1; i < len(*kept); i++ {
		if (*kept)[i].EventType == t.EventType {
			(*kept)[i] = t
			return
		}
	}
	*kept = append(*kept, t)
}

// TraceList is traces that are decoded when somebody asks.
type TraceList struct {
	encoded string
	List    []Trace
}

// All are the traces.
func (l *TraceList) All() []Trace {
	if l.List == nil && l.encoded != "" {
		d := blocks.NewDecoder(l.encoded)
		l.List = decodeTraces(&d)
	}
	return l.List
}
