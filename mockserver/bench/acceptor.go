package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// measureAcceptor compares the acceptor with decoding a payload and validating it, which is what answers whatever it does not take.
func measureAcceptor(_ context.Context, out io.Writer, _ programs, s settings) error {
	const name = "legacy/campaign.request.json"
	library, err := schemas.Embedded()
	if err != nil {
		return err
	}
	checker, err := acceptor.Compile(library.Schema(name))
	if err != nil {
		return err
	}
	text := []byte(creation)
	var document acceptor.Document
	if value, err := schemas.Decode(text); err != nil || library.Schema(name).Validate(value) != nil || !checker.Accept(text, &document) {
		return fmt.Errorf("the payload of the measurement is refused: %v", err)
	}
	var fast, slow, ratio samples
	for range 2 * s.rounds {
		fast = append(fast, perSecond(s.round/15, func() { checker.Accept(text, &document) }))
		slow = append(slow, perSecond(s.round/15, func() {
			value, _ := schemas.Decode(text)
			_ = library.Schema(name).Validate(value)
		}))
		ratio = append(ratio, fast[len(fast)-1]/slow[len(slow)-1])
	}
	fmt.Fprintln(out, "\nchecking a payload\tpayloads/s accepted\tdecoded and validated\ttimes as many")
	fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%s\n", name, fast.median(), slow.median(), atLeast(ratio.median(), aimAcceptor))
	return nil
}

// perSecond is how often something can be done in a second.
func perSecond(limit time.Duration, do func()) float64 {
	count := 0
	began := time.Now()
	for time.Since(began) < limit {
		for range 64 {
			do()
		}
		count += 64
	}
	return float64(count) / time.Since(began).Seconds()
}
