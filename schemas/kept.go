package schemas

import (
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
