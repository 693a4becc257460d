package actionsjson_test

import (
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
)

func Example() {
	arguments, err := actionsjson.DecodeArguments([]byte(`{"id": 9007199254740993, "price": 9.5}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(arguments["id"], arguments["price"])

	text, err := actionsjson.AppendResult(nil, actions.Result{Status: actions.StatusPerformed, Value: arguments})
	fmt.Println(string(text), err)
	// Output:
	// 9007199254740993 9.5
	// {"status":"performed","value":{"id":9007199254740993,"price":9.5}} <nil>
}
