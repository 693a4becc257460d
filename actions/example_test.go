package actions_test

import (
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

func Example() {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	registry := actions.New(actions.Options{Host: host.Capabilities()})
	_, err := registry.Register("say-hello", func(invocation actions.Invocation) (any, error) {
		name, err := invocation.Arguments().Text("name")
		if err != nil {
			return nil, err
		}
		return "hello, " + name, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	registry.Start()

	result := registry.Perform("Say-Hello", actions.Arguments{"name": "world"})
	fmt.Println(result.Status, result.Value)
	result = registry.Perform("Say-Hello", nil)
	fmt.Println(result.Status, result.Message)
	// Output:
	// performed hello, world
	// failed argument "name" is missing, a string is required
}
