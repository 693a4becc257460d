package actions_test

import (
	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
)

// show writes arguments as JSON.
func show(value any) string {
	text, err := actionsjson.Append(nil, value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func decodeArguments(text string) (actions.Arguments, error) {
	return actionsjson.DecodeArguments([]byte(text))
}
