package proxy

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// TestOrderForgets: of what was handed on before its turn nothing is kept, however long a client does not take its answer.
func TestOrderForgets(t *testing.T) {
	t.Parallel()
	observed := 0
	ordered := inOrder{observe: func(*drift.Exchange) { observed++ }, waits: map[*running][]*running{}}
	stuck := &running{}
	for range 3 * waiting {
		ordered.take(&running{order: order{after: []*running{stuck}}})
	}
	if kept := len(ordered.waits[stuck]); kept != waiting || observed != 2*waiting {
		t.Errorf("%d are kept, and %d were observed", kept, observed)
	}
	ordered.take(stuck)
	if len(ordered.waits) != 0 || len(ordered.held) != 0 || observed != 3*waiting+1 {
		t.Errorf("in the end %d are waited for, %d wait, and %d were observed", len(ordered.waits), len(ordered.held), observed)
	}
}
