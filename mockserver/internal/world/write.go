package world

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/tempfile"
)

// Render adds a row to a text, so many times as it says.
type Render func(dst []byte, row *Row) (text []byte, copies int)

// Output is where rows go.
type Output struct {
	// Render makes what renders rows: one for each part that is simulated at the same time.
	Render func() Render
	// Take takes the text of one row after the other, with the seconds that order it; 0 where rows are not in order of time. It returns
	// false for no more.
	Take func(at int64, text []byte) (more bool, err error)
	// Do runs work on a processor; nil: at once.
	Do func(work func())
	// From and To are the parts of the people that are simulated, of View.Parts.
	From, To int64
	// Done is told which parts are done, if it is not nil.
	Done func(parts int64)
	// Memory is how many bytes of rows are put in order in memory; more go to a temporary file in Directory ("": the usual one).
	Memory    int
	Directory string
	// Room is what that file may take of the disk; nil: as much as there is.
	Room tempfile.Room
}

const (
	// partPeople is how many people a goroutine simulates before it hands over what they did.
	partPeople = 256
	// partsAhead is how many parts are simulated before they are taken, by processor.
	partsAhead = 3
	// usualMemory is Output.Memory where nothing is said.
	usualMemory = 32 << 20
	keyBytes    = 8 // of the time and the person of a row, before its text
)

var errEnough = errors.New("enough rows")

type part struct {
	number int64
	person *Person
	render Render
	text   []byte // of rows, each behind its key if they are put in order
	ends   []int32
	err    error
	done   chan struct{}
}

// Write writes all rows of the view in order. People are simulated on all processors; the bytes do not depend on how many.
func (v *View) Write(ctx context.Context, out Output) error {
	var sorter *extsort.Sorter
	if v.ordered {
		sorter = extsort.New(out.Directory, cmp.Or(out.Memory, usualMemory)).Within(out.Room)
		defer sorter.Close()
	}
	err := v.parts(ctx, out, func(of *part) error {
		if out.Done != nil {
			out.Done(of.number + 1)
		}
		begin := int32(0)
		for _, end := range of.ends {
			text, err := of.text[begin:end], error(nil)
			if sorter != nil {
				err = sorter.Add(text)
			} else {
				err = enough(out.Take(0, text))
			}
			if err != nil {
				return err
			}
			begin = end
		}
		return nil
	})
	if err == nil && sorter != nil {
		err = sorter.Each(func(record []byte) error {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			return enough(out.Take(int64(binary.BigEndian.Uint32(record)), record[keyBytes:]))
		})
	}
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func enough(more bool, err error) error {
	if err == nil && !more {
		return errEnough
	}
	return err
}

// keyOf orders rows by their time, which is near the window of the view, and by the person, or the given event.
func (v *View) keyOf(at, number int64) uint64 {
	return uint64(max(at-v.from+year, 0))<<32 | uint64(uint32(number))
}

// Parts is how many parts of the people there are.
func (v *View) Parts() int64 {
	if v.given == nil {
		return v.drawnParts()
	}
	return v.drawnParts() + partsOf(v.given.People.People())
}

// drawnParts is how many parts have people who were drawn; given ones are behind them.
func (v *View) drawnParts() int64 {
	if v.given != nil && v.given.Only {
		return 0
	}
	return partsOf(v.w.people)
}

func partsOf(people int64) int64 { return (people + partPeople - 1) / partPeople }

// parts simulates people and gives what they did to take, in their order.
func (v *View) parts(ctx context.Context, out Output, take func(*part) error) error {
	slots := make([]part, runtime.GOMAXPROCS(0)*partsAhead)
	of := func(number int64) *part { return &slots[(number-out.From)%int64(len(slots))] }
	var group sync.WaitGroup
	defer group.Wait()
	begin := func(number int64) {
		if number >= out.To {
			return
		}
		next := of(number)
		next.number, next.text, next.ends = number, next.text[:0], next.ends[:0]
		group.Go(func() {
			work := func() { next.err = v.simulate(next) }
			if out.Do != nil {
				out.Do(work)
			} else {
				work()
			}
			next.done <- struct{}{}
		})
	}
	for i := range slots {
		slots[i].person, slots[i].render, slots[i].done = &Person{w: v.w}, out.Render(), make(chan struct{}, 1)
		begin(out.From + int64(i))
	}
	for number := out.From; number < out.To && ctx.Err() == nil; number++ {
		<-of(number).done
		if err := of(number).err; err != nil {
			return err
		}
		if err := take(of(number)); err != nil {
			return err
		}
		begin(number + int64(len(slots)))
	}
	return context.Cause(ctx)
}

// simulate lets the people of a part live. A panic is an error, since no caller stands above it.
func (v *View) simulate(of *part) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("simulating panicked: %v\n%s", cause, debug.Stack())
		}
	}()
	var number int64
	p, row := of.person, &Row{}
	emit := func(emitted Row) {
		*row = emitted
		begin := len(of.text)
		text := of.text
		if v.ordered {
			text = binary.BigEndian.AppendUint64(text, 0)
		}
		text, copies := of.render(text, row)
		if copies == 0 {
			return
		}
		if v.ordered {
			binary.BigEndian.PutUint64(text[begin:], v.keyOf(row.Time+row.Shift, number))
		}
		written := len(text) - begin
		of.ends = append(of.ends, int32(len(text)))
		for range copies - 1 {
			text = append(text, text[begin:begin+written]...)
			of.ends = append(of.ends, int32(len(text)))
		}
		of.text = text
	}
	if of.number >= v.drawnParts() {
		first := (of.number - v.drawnParts()) * partPeople
		v.simulateGiven(p, first, first+partPeople, &number, emit)
		return nil
	}
	for n := of.number * partPeople; n < min((of.number+1)*partPeople, v.w.people); n++ {
		number = n
		if !v.given.skips(n) && p.become(n, v.to) && v.segment.holds(p.key) {
			v.given.lose(p)
			v.visit(v, p, emit)
		}
	}
	return nil
}
