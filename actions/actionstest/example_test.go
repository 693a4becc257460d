package actionstest_test

import (
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

func ExampleHost() {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	registry := actions.New(actions.Options{Host: host.Capabilities()})

	registry.Perform("service.clipboard", actions.Arguments{"t": "hello"})

	host.SetNotifications(actions.PermissionDenied)
	registry.Perform("service.smart_reoptin", nil)

	host.Refuse(actions.CapabilityReviewer, actions.Blocked("not today"))
	fmt.Println(registry.Perform("service.rating", nil).Err())

	for _, effect := range host.Effects() {
		fmt.Println(effect)
	}
	// Output:
	// blocked: service.rating: not today
	// {"host":"clipboard.write","text":"hello"}
	// {"host":"settings.open","page":"notifications"}
}
