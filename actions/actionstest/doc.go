// Package actionstest helps to test applications that use package actions: a host that records what is done to it, as
// net/http has httptest, and a runner of test vectors.
//
// A [Host] has every capability and grants everything until it is told otherwise:
//
//	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
//	registry := actions.New(actions.Options{Host: host.Capabilities()})
//	registry.Perform("service.clipboard", actions.Arguments{"t": "hello"})
//	fmt.Println(host.Effects()) // [{"host":"clipboard.write","text":"hello"}]
//
// Vectors are cases as data: steps to do with a registry, what each must answer, and the effects that must be left. The files
// in actions/testdata/vectors are replayed on every surface; the format is described beside them. [RunVectors] replays them in
// Go, on the registry itself or on anything else that implements [Subject].
package actionstest
