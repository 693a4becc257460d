package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
)

// scaleExports puts more and more exports into a state file, each like one that the server has made, and starts the server on it.
func scaleExports(ctx context.Context, out io.Writer, p programs, s settings) error {
	const name = "exports.db"
	fmt.Fprintln(out, "\nexports\tstart, ms\tcreation, server us/request\tstatus, server us/request\tlist of 20, ms\tmemory then, MB\ton disk, bytes each")
	stored := int64(0)
	for _, wanted := range decades(1000, 1_000_000, s) {
		if err := p.addExports(ctx, name, stored, wanted); err != nil {
			return err
		}
		stored = wanted
		began := time.Now()
		served, err := p.startOn(ctx, name, "--progress", "now")
		if err != nil {
			return err
		}
		start := float64(time.Since(began).Microseconds()) / 1000
		err = func() error {
			defer served.stop()
			create := &contestant{server: served, request: createRequest(served.address), status: 202}
			status := &contestant{server: served, request: statusRequest(served.address, seededID(0)), status: 200}
			for _, c := range []*contestant{create, status} {
				if err := c.round(ctx, s); err != nil {
					return err
				}
			}
			var lists samples
			for range 20 {
				began := time.Now()
				if _, err := ask(ctx, http.MethodGet, served.address, "/_mock/exports?limit=20", ""); err != nil {
					return err
				}
				lists = append(lists, float64(time.Since(began).Microseconds())/1000)
			}
			size := int64(0)
			if information, err := os.Stat(filepath.Join(p.directory, name)); err == nil {
				size = information.Size()
			}
			fmt.Fprintf(out, "%d\t%.1f\t%.1f\t%.1f\t%.1f\t%s\t%d\n", wanted, start, median(create.costs), median(status.costs), median(lists),
				figure(memoryOf(served.process.Process.Pid, "VmRSS:")/1024), size/wanted)
			return nil
		}()
		if err != nil {
			return fmt.Errorf("%d exports: %w", wanted, err)
		}
	}
	return nil
}

// seededID is the identifier of an export that was put into the file.
func seededID(n int64) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n) }

// addExports puts the exports from one number on to another one into a state file.
func (p programs) addExports(ctx context.Context, name string, from, to int64) error {
	if from == 0 { // the server makes the first one
		served, err := p.startOn(ctx, name, "--progress", "now")
		if err != nil {
			return err
		}
		_, err = createOne(served.address)
		served.stop()
		if err != nil {
			return err
		}
	}
	file, err := bolt.Open(ctx, filepath.Join(p.directory, name))
	if err != nil {
		return err
	}
	defer file.Close()
	made, err := file.List(ctx, store.ListOptions{Owner: demo.LiveKey, Limit: 1})
	if err != nil || len(made) == 0 {
		return fmt.Errorf("there is no export to copy: %w", err)
	}
	var (
		group    sync.WaitGroup
		failures = make(chan error, 256)
		next     = make(chan int64)
	)
	for range cap(failures) {
		group.Go(func() {
			for n := range next {
				record := made[0].Clone()
				record.ID = seededID(n)
				record.File.Target = fmt.Sprintf("campaign-%d", n%1000)
				record.URI = strings.Replace(record.URI, "welcome", record.File.Target, 1)
				if err := file.Insert(ctx, record, nil); err != nil {
					select {
					case failures <- fmt.Errorf("%s: %w", exports.Shorten(record.ID), err):
					default:
					}
				}
			}
		})
	}
	for n := from; n < to && ctx.Err() == nil; n++ {
		next <- n
	}
	close(next)
	group.Wait()
	select {
	case err := <-failures:
		return err
	default:
		return ctx.Err()
	}
}
