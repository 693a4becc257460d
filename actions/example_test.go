package actions_test

import (
	"errors"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

func Example() {
	registry := actions.New(actions.Options{})
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

// clipboard is a host capability: what it does is up to the platform.
type clipboard struct{}

func (clipboard) WriteText(text string, done func(error)) {
	if len(text) > 100 {
		done(actions.Blocked("the text is too long for this clipboard"))
		return
	}
	fmt.Printf("copied %q\n", text)
	done(nil)
}

func ExampleHost() {
	registry := actions.New(actions.Options{Host: actions.Host{Platform: actions.PlatformAndroid, Version: "14", Clipboard: clipboard{}}})

	fmt.Println(registry.Perform("service.clipboard", actions.Arguments{"t": "hello"}).Status)
	fmt.Println(registry.Perform("service.rating", nil).Err())
	fmt.Println(registry.Capability("service.clipboard"), registry.Capability("service.rating"))
	// Output:
	// copied "hello"
	// performed
	// unsupported: service.rating needs the capability "reviewer", which this host does not have
	// available unsupported
}

// A group runs its items one after the other. A failing one does not stop the next.
func ExampleRegistry_Perform_group() {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	registry := actions.New(actions.Options{Host: host.Capabilities()})

	result := registry.Perform("service.group", actions.Arguments{"actions": []any{
		[]any{"service.user.tag", map[string]any{"a": "add", "c": "colours", "t": "red"}},
		[]any{"open-cart", map[string]any{}},
		[]any{"service.dismiss", map[string]any{}},
	}})
	fmt.Println(result.Status, result.Message)
	for _, item := range result.Items {
		fmt.Println(item.Status)
	}
	fmt.Println(host.Effects())
	// Output:
	// partial 2 of 3 items were performed
	// performed
	// not_found
	// performed
	// [{"collection":"colours","host":"tag.add","tag":"red"} {"host":"dismiss"}]
}

// A handler that finishes later returns a completion.
func ExampleCompletion() {
	registry := actions.New(actions.Options{})
	_, err := registry.Register("fetch", func(actions.Invocation) (any, error) {
		later := new(actions.Completion)
		go func() { later.Succeed("fetched") }()
		return later, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(registry.Perform("fetch", nil).Value)
	// Output: fetched
}

// A caller who does not want to wait for ever cancels.
func ExampleTask_Cancel() {
	registry := actions.New(actions.Options{})
	_, err := registry.Register("ask-the-user", func(actions.Invocation) (any, error) {
		later := new(actions.Completion)
		later.OnCancel(func() { fmt.Println("closing the question") })
		return later, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	task := registry.PerformAsync("ask-the-user", nil)
	timer := make(chan struct{}) // in a program: time.After
	close(timer)
	select {
	case <-task.Done():
	case <-timer:
		task.Cancel()
	}
	fmt.Println(task.Wait().Status)
	// Output:
	// closing the question
	// canceled
}

// What the SDK triggers before the start is delivered at the start.
func ExampleRegistry_Trigger() {
	registry := actions.New(actions.Options{})
	task := registry.Trigger("open-cart", nil, actions.Push(map[string]any{"campaign": "spring"}))
	_, err := registry.Register("open-cart", func(invocation actions.Invocation) (any, error) {
		fmt.Println(invocation.Source().Kind, invocation.Source().Payload["campaign"])
		return nil, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	registry.Start()
	fmt.Println(task.Wait().Status)
	// Output:
	// push spring
	// performed
}

func ExampleRegistry_Validate() {
	registry := actions.New(actions.Options{})
	for _, problem := range registry.Validate("service.user.tag", actions.Arguments{"a": "ADD", "c": "colours"}) {
		fmt.Println(problem.At, problem.Message)
	}
	// Output:
	// /a argument "a" is the string "ADD", "add" or "remove" is required
	// /t argument "t" is missing, a string that is not empty is required
}

func ExampleResult_Err() {
	offline := errors.New("the network is away")
	registry := actions.New(actions.Options{})
	_, err := registry.Register("sync", func(actions.Invocation) (any, error) { return nil, offline })
	if err != nil {
		fmt.Println(err)
		return
	}
	err = registry.Perform("sync", nil).Err()
	fmt.Println(err)
	fmt.Println(actions.CodeOf(err), errors.Is(err, offline))
	// Output:
	// failed: the network is away
	// failed true
}

func ExampleLinkRules() {
	rules, err := actions.LinkRules("https://*.a.example", "shop:")
	if err != nil {
		fmt.Println(err)
		return
	}
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	registry := actions.New(actions.Options{Host: host.Capabilities(), RefuseLink: rules})
	for _, link := range []string{"shop://cart", "https://www.a.example@b.example"} {
		fmt.Println(registry.Perform("service.deeplink", actions.Arguments{"l": link}).Err())
	}
	// Output:
	// <nil>
	// invalid_arguments: service.deeplink: argument "l" is "https://www.a.example@b.example", the allowed links are "https://*.a.example", "shop:"
}
