package main

import (
	"context"
	"fmt"
	"io"
)

// measureDurable tells what it costs to wait for the disk with every commit: to many clients, whose creations share commits, and
// to one that waits for each response.
func measureDurable(ctx context.Context, out io.Writer, p programs, s settings) error {
	plain, err := p.startServed(ctx, "plain.db")
	if err != nil {
		return err
	}
	defer plain.stop()
	durable, err := p.startServed(ctx, "durable.db", "--durable")
	if err != nil {
		return err
	}
	defer durable.stop()
	defer pinSelf(ctx)()

	fmt.Fprint(out, "\ncreations per second, file store, server on one core\twithout\twith --durable\tshare that is left\n")
	for _, connections := range []int{s.connections, 1} {
		s.connections = connections
		without := &contestant{server: plain, request: createRequest(plain.address), status: 202}
		with := &contestant{server: durable, request: createRequest(durable.address), status: 202}
		for range s.rounds {
			for _, c := range []*contestant{without, with} {
				if err := c.round(ctx, s); err != nil {
					return err
				}
			}
		}
		before, after := median(without.rates), median(with.rates)
		fmt.Fprintf(out, "%d keep-alive connections\t%.0f\t%.0f\t%s\n", connections, before, after, figure(after/before))
	}
	return nil
}
