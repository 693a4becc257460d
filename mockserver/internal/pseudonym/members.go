package pseudonym

import (
	"bytes"
	"encoding/json"
)

// replacements are how members of the rows of a dataset (schemas/data) are replaced. Those
// that are not here are kept: see docs/how-to/import-exports.md#what-is-kept
var replacements = map[string]func(*Key, string) string{
	"profile_id": (*Key).Identifier, "custom_id": (*Key).Identifier, "install_id": (*Key).Identifier, "advertising_id": (*Key).Identifier,
	"event_id": (*Key).Identifier, "sent_id": (*Key).Identifier, "orchestration_id": (*Key).Identifier, "step_id": (*Key).Identifier,
	"transactional_token": (*Key).Identifier,
	"email_address":       (*Key).EmailAddress,
	"phone_number":        (*Key).PhoneNumber,
	"click_url":           (*Key).Link,
	"click_url_name":      (*Key).Text, "orchestration_name": (*Key).Text, "step_name": (*Key).Text, "campaign": (*Key).Text,
	"group": (*Key).Text,
}

// Member is the value of a member of a row with the pseudonym of what it says, as JSON.
func (k *Key) Member(member string, value json.RawMessage) (json.RawMessage, error) {
	replace := replacements[member]
	if replace == nil {
		return value, nil
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return nil, err
	}
	return encode(replace(k, text))
}

// Attribute is the value of a custom attribute with pseudonyms of all its texts and numbers, as JSON.
func (k *Key) Attribute(value json.RawMessage) (json.RawMessage, error) {
	var plain any
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	if err := decoder.Decode(&plain); err != nil {
		return nil, err
	}
	return encode(k.any(plain))
}

func (k *Key) any(value any) any {
	switch value := value.(type) {
	case string:
		return k.Text(value)
	case json.Number:
		return json.Number(k.Number(value.String()))
	case []any:
		for i := range value {
			value[i] = k.any(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = k.any(value[name])
		}
	}
	return value
}

// encode writes JSON without the escapes that are meant for HTML.
func encode(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(text.Bytes()), err
}
