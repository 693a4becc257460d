package hub

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// message is one of a host; which members count depends on the type.
type message struct {
	Type         string            `json:"type"`
	Call         string            `json:"call"`
	Result       json.RawMessage   `json:"result"`
	Identifier   string            `json:"identifier"`
	Arguments    json.RawMessage   `json:"arguments"`
	Source       json.RawMessage   `json:"source"`
	Action       Action            `json:"action"`
	Capabilities map[string]string `json:"capabilities"`
	Permissions  map[string]string `json:"permissions"`
	Count        int               `json:"count"`
	Reason       string            `json:"reason"`

	fault string // why it is left out
}

// isStatus knows how a perform may end, by the core of the actions.
func isStatus(status string) bool {
	switch status {
	case "performed", "not_found", "invalid_arguments", "unsupported", "blocked", "failed", "canceled", "partial":
		return true
	}
	return false
}

// parse reads the messages of one request. A fault of one of them is its own.
func parse(data []byte) ([]message, error) {
	var body struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if !utf8.Valid(data) {
		return nil, refuse(MessageInvalid, "the body is not valid UTF-8")
	}
	if err := json.Unmarshal(data, &body); err != nil || body.Messages == nil {
		return nil, refuse(MessageInvalid, `the body is not {"messages": [...]} in JSON`)
	}
	if len(body.Messages) > MostMessages {
		return nil, refuse(MessageInvalid, "%d messages are in one request; send at most %d", len(body.Messages), MostMessages)
	}
	read := make([]message, len(body.Messages))
	for i, text := range body.Messages {
		read[i] = readMessage(text)
	}
	return read, nil
}

func readMessage(text []byte) (m message) {
	switch deep := depthOf(text); {
	case len(text) > MessageBytes:
		m.fault = fmt.Sprintf("larger than %d bytes", MessageBytes)
	case deep > Depth:
		m.fault = fmt.Sprintf("nested more than %d deep", Depth)
	default:
		if json.Unmarshal(text, &m) == nil {
			m.fault = m.lacks()
			return m
		}
		m.fault = "a message that is no object with the members of its type"
	}
	// Whose result it is can still be told: nobody shall wait for it.
	var head struct{ Type, Call string }
	_ = json.Unmarshal(text, &head)
	m.Type, m.Call = head.Type, head.Call
	return m
}

// lacks says why a message of its type is of no use.
func (m *message) lacks() string {
	if max(utf8.RuneCountInString(m.Identifier), utf8.RuneCountInString(m.Action.Identifier)) > IdentifierLetters {
		return fmt.Sprintf("an identifier of more than %d letters", IdentifierLetters)
	}
	switch m.Type {
	case "result", "performed":
		var result struct {
			Status string `json:"status"`
		}
		if json.Unmarshal(m.Result, &result) != nil || !isStatus(result.Status) {
			return "a result without a known status"
		}
		if m.Type == "performed" && (m.Identifier == "" || !isObject(m.Arguments) || !isObject(m.Source)) {
			return "performed without an identifier, or with arguments or a source that are no object"
		}
	case "registered":
		if m.Action.Identifier == "" {
			return "registered without an action"
		}
	case "held", "omitted":
		if m.Count < 0 || m.Count > 1_000_000_000 {
			return "a count that is none"
		}
	case "unregistered", "capabilities", "alive", "leave":
	default:
		return "a message of an unknown type"
	}
	return ""
}

// isObject tells whether valid JSON is an object, or nothing.
func isObject(text json.RawMessage) bool { return len(text) == 0 || text[0] == '{' }

// depthOf counts the brackets that valid JSON is nested in.
func depthOf(text []byte) (deepest int) {
	deep, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			deep++
			deepest = max(deepest, deep)
		case c == '}' || c == ']':
			deep--
		}
	}
	return deepest
}

// Receive takes the messages of a host.
func (h *Hub) Receive(id, token string, data []byte) error {
	messages, invalid := parse(data)
	h.lock.Lock()
	defer h.lock.Unlock()
	from, err := h.authorized(id, token)
	if err != nil {
		return err
	}
	if invalid != nil {
		return invalid
	}
	from.seen = h.Now()
	changed := false
	for i := range messages {
		m := &messages[i]
		changed = h.take(from, m) || changed
		if m.Type == "leave" && m.fault == "" {
			return nil
		}
	}
	if state := from.state(from.seen); changed || state != from.told {
		from.told = state
		h.changed(from)
	}
	return nil
}

// take acts on one message, and reports whether the host looks different then. The lock is held.
func (h *Hub) take(from *host, m *message) (changed bool) {
	asking := from.calls[m.Call]
	if m.fault != "" {
		from.omit(m.fault, 1)
		if m.Type == "result" && asking != nil {
			h.finish(from, asking, resultOf("failed", "the app answered, but its result was left out: "+m.fault), true)
		}
		return true
	}
	switch m.Type {
	case "result":
		if asking != nil { // else it came too late
			h.finish(from, asking, m.Result, true)
		}
	case "performed":
		if m.Source == nil {
			m.Source = json.RawMessage(`{"kind":"manual"}`)
		}
		h.perform(from, Performed{Identifier: m.Identifier, Arguments: m.Arguments, Source: m.Source, Result: m.Result})
	case "registered":
		from.register(m.Action)
		return true
	case "unregistered":
		from.unregister(m.Identifier)
		return true
	case "capabilities":
		from.capabilities, from.permissions = m.Capabilities, m.Permissions
		return true
	case "held":
		if asking != nil && asking.Source != nil {
			h.finish(from, asking, resultOf("held", "the app holds the trigger until it has started"), false)
		}
		from.held = m.Count
		return true
	case "omitted":
		from.omit(m.Reason, m.Count)
		return true
	case "leave":
		from.told, from.token = Gone, digest{}
		if from.stream != nil {
			from.stream.end()
			from.stream = nil
		}
		h.cancelAll(from, fmt.Sprintf("the host %s left before it answered", from.name))
		h.changed(from)
	}
	return false
}
