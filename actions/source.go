package actions

// The kinds of source that exist today. An SDK may use further ones: any text is a kind.
const (
	// SourceManual: application code asked for the action, by [Registry.Perform].
	SourceManual = "manual"
	// SourcePush: a push message did; Source.Payload is what it carried.
	SourcePush = "push"
)

// Source says what caused an action to run. The zero value is the manual source.
type Source struct {
	// Kind is one of the constants or any other text; "" means [SourceManual].
	Kind string
	// Payload is what came with the trigger, such as a push message's payload; nil when there is none. It is copied when the
	// action is triggered, by the rules of [Arguments].
	Payload Arguments
}

// Push is the source of an action that a push message with this payload triggers.
func Push(payload map[string]any) Source { return Source{Kind: SourcePush, Payload: payload} }
