package schemas

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// PropertyOrder returns the names under "properties" of a schema object in the order of its file; the
// compiled schema itself holds them in a map. It is nil for a schema without properties, or one that is
// not of this library. The caller must not change the slice.
func (l *Library) PropertyOrder(s *jsonschema.Schema) []string {
	if s == nil {
		return nil
	}
	file, pointer := fileAndPointer(s.Location)
	return l.orders[file][pointer+"/properties"]
}

// memberOrders lists the member names of every object in a JSON text, by the pointer of the object.
func memberOrders(data []byte) map[string][]string {
	orders := map[string][]string{}
	decoder := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return orders
		}
		depth := decoder.StackDepth()
		if depth == 0 || token.Kind() != '"' {
			continue
		}
		if kind, length := decoder.StackIndex(depth); kind == '{' && length%2 == 1 {
			pointer := decoder.StackPointer().Parent()
			orders[string(pointer)] = append(orders[string(pointer)], token.String())
		}
	}
}
