package schemas

import (
	"slices"
	"sync"
)

// Derived is what make makes of a library, made once for each key and kept as long as the library: servers that
// share a library share what they derive from it. It must not change, or be safe for concurrent use.
func Derived[K comparable, V any](l *Library, key K, make func() V) V {
	kept, there := l.derived.Load(key)
	if !there {
		kept, _ = l.derived.LoadOrStore(key, sync.OnceValue(make))
	}
	return kept.(func() V)()
}

// mostOverlays is how many overlays are kept compiled. Each takes about 15 MB. An overlay is checked and compiled
// once: tests open the same one for every server they start.
const mostOverlays = 8

// overlays are the libraries of the overlays that were opened last, the last one first.
type overlays struct {
	lock sync.Mutex
	kept []opened
}

type opened struct {
	digest string
	open   func() (*Library, error)
}

// get returns the library of an overlay by its digest. It is opened if it is not among the last.
func (o *overlays) get(digest string, open func() (*Library, error)) (*Library, error) {
	o.lock.Lock()
	wanted := opened{digest, sync.OnceValues(open)}
	if at := slices.IndexFunc(o.kept, func(each opened) bool { return each.digest == digest }); at >= 0 {
		wanted = o.kept[at]
		o.kept = slices.Delete(o.kept, at, at+1)
	}
	o.kept = slices.Insert(o.kept, 0, wanted)
	o.kept = o.kept[:min(len(o.kept), mostOverlays)]
	o.lock.Unlock()
	return wanted.open()
}
