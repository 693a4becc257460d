package exportapi

import (
	"sync"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// acceptorsOf are those of the request schemas, each made when a payload first comes; nil for one that acceptors do not
// know. The servers of a library share them.
func acceptorsOf(library *schemas.Library) map[string]func() *acceptor.Acceptor {
	type key struct{ request string }
	found := map[string]func() *acceptor.Acceptor{}
	for _, export := range library.Exports() {
		found[export.Request] = sync.OnceValue(func() *acceptor.Acceptor {
			return schemas.Derived(library, key{export.Request}, func() *acceptor.Acceptor {
				made, err := acceptor.Compile(library.Schema(export.Request))
				if err != nil {
					return nil
				}
				return made
			})
		})
	}
	return found
}
