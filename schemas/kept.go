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

// mostOverlays is how many overlays are kept compiled. Each takes about 15 MB.
const mostOverlays = 8

// overlays are the libraries of the overlays that were opened last. An overlay is checked and compiled once: tests
// open the same one for every server they start.
type overlays struct {
	lock sync.Mutex
	kept []overlaid // the last one first
}

type overlaid struct {
	digest string // of the files of the overlay
	open   func() (*Library, error)
}

// library is that of an overlay with a digest, which build makes if it is not kept.
func (o *overlays) library(digest string, build func() (*Library, error)) (*Library, error) {
	o.lock.Lock()
	wanted := overlaid{digest, sync.OnceValues(build)}
	if at := slices.IndexFunc(o.kept, func(each overlaid) bool { return each.digest == digest }); at >= 0 {
		wanted = o.kept[at]
		o.kept = slices.Delete(o.kept, at, at+1)
	}
	o.kept = slices.Insert(o.kept, 0, wanted)
	o.kept = o.kept[:min(len(o.kept), mostOverlays)]
	o.lock.Unlock()
	return wanted.open()
}
