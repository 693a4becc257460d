package world

import (
	"maps"
	"slices"
	"sync"
)

var allNames = sync.OnceValue(func() (all Names) {
	for _, language := range slices.Sorted(maps.Keys(nameLists())) {
		all.Given = append(all.Given, nameLists()[language].Given...)
		all.Family = append(all.Family, nameLists()[language].Family...)
	}
	return all
})

// NameOf returns a name of people of the world, of any language, for a random number.
func NameOf(random uint64) (given, family string) {
	all := allNames()
	count := uint64(len(all.Given))
	return all.Given[random%count], all.Family[random/count%uint64(len(all.Family))]
}
