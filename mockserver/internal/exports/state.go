package exports

import (
	"cmp"
	"time"
)

const forcedMessage = "the export failed because the scenario of its request asked for this outcome"

// State is what a [Record] shows at one instant.
type State struct {
	Status Status
	// Name is what the interface calls it; empty unless who made the state knows the interface.
	Name string
	// Stage is which of the states of the interface PENDING is, from 0.
	Stage int
	// StartedAt is when the export left CREATED, so it is nil with that status. It is nil with PENDING as well when the export left
	// CREATED at an instant that lies ahead, because the clock was set back.
	StartedAt *time.Time
	// CompletedAt is set with SUCCESS and ERROR.
	CompletedAt *time.Time
	// FileExpiresAt is set by [Interface.Kept], with SUCCESS.
	FileExpiresAt *time.Time
	// FileExpired reports that the file is gone.
	FileExpired bool
	// ErrorMessage is set with ERROR, and never empty then.
	ErrorMessage string
}

// State computes the status at an instant of the clock. It is a pure function: the record is not changed. At an instant before the
// creation (the clock was set back) the export is CREATED, and between creation and a completion that lies ahead it is under way again.
// See docs/explanation/specification.md#how-does-a-status-move
func (r *Record) State(now time.Time) State {
	if now.Before(r.CreatedAt) {
		return State{Status: Created}
	}
	completed, known := r.completion()
	if !known || now.Before(completed) {
		if !r.underWay(now) {
			return State{Status: Created}
		}
		state := State{Status: Pending, Stage: min(max(r.stage(now), 0), r.stages()-1)}
		if started, known := r.started(); known && !started.After(now) {
			state.StartedAt = &started
		}
		return state
	}
	started, known := r.started()
	if !known || started.After(completed) {
		started = completed // it went from CREATED to its end
	}
	state := State{Status: r.Outcome.status(), StartedAt: &started, CompletedAt: &completed}
	if state.Status == Failed {
		state.ErrorMessage = cmp.Or(r.ErrorMessage, forcedMessage)
	}
	return state
}

// Kept returns a state of [Record.State] with the end of the file (export API section 1).
func (i Interface) Kept(state State, now time.Time) State {
	if state.Status == Success {
		expires := i.Files.Lifetime.After(*state.CompletedAt)
		state.FileExpiresAt, state.FileExpired = &expires, !now.Before(expires)
	}
	return state
}

// completion returns the instant at which the export is or will be complete, if that is known.
func (r *Record) completion() (time.Time, bool) {
	if r.CompletedAt != nil {
		return *r.CompletedAt, true
	}
	switch r.Progress.Mode {
	case ModeTime:
		return r.CreatedAt.Add(r.Progress.Duration), true
	case ModePolls, ModeManual, ModeStuck:
		return time.Time{}, false
	}
	return r.CreatedAt, true
}

// started returns the instant at which the export left or will leave CREATED, if that is known. A completion before it comes first. See
// docs/explanation/specification.md#what-is-the-start_date-of-a-profile-record
func (r *Record) started() (time.Time, bool) {
	if r.stages() == 0 {
		return time.Time{}, false
	}
	if r.StartedAt != nil {
		return *r.StartedAt, true
	}
	switch r.Progress.Mode {
	case ModeTime:
		return r.CreatedAt.Add(r.Progress.Duration / 4), true
	case ModePolls, ModeManual:
		return time.Time{}, false
	}
	return r.CreatedAt, true
}

// underWay tells PENDING from CREATED for an export that is not complete.
func (r *Record) underWay(now time.Time) bool {
	if r.stages() == 0 {
		return false
	}
	switch r.Progress.Mode {
	case ModeTime:
		return now.Sub(r.CreatedAt) >= r.Progress.Duration/4
	case ModePolls:
		return r.Polls > 1
	case ModeStuck:
		return true
	}
	return r.Steps > 0
}

// stages is how many states it runs through.
func (r *Record) stages() int {
	if r.Stages == nil {
		return 1
	}
	return *r.Stages
}

// stage is in which of them an export is that is under way: they take equal parts of what is left of its way after CREATED.
func (r *Record) stage(now time.Time) int {
	switch r.Progress.Mode {
	case ModeTime:
		began := r.Progress.Duration / 4
		return int(float64(r.stages()) * float64(now.Sub(r.CreatedAt)-began) / float64(max(r.Progress.Duration-began, 1)))
	case ModePolls:
		return r.stages() * (r.Polls - 2) / max(r.Progress.Polls-2, 1)
	}
	return r.Steps - 1
}

// CountsPolls reports whether a lookup at the instant changes the record, so that a server writes only when it has to: the export moves
// by lookups, has been created, and is not final. See docs/explanation/specification.md#what-counts-as-a-poll
func (r *Record) CountsPolls(now time.Time) bool {
	return r.Progress.Mode == ModePolls && !now.Before(r.CreatedAt) && !r.State(now).Status.Final()
}

// Poll counts a lookup. Call it before [Record.State]: lookup 1 then answers CREATED and the last one the final status. It does nothing
// unless [Record.CountsPolls].
func (r *Record) Poll(now time.Time) {
	if !r.CountsPolls(now) {
		return
	}
	r.Polls++
	if r.Polls > 1 && r.StartedAt == nil {
		r.start(now)
	}
	if r.Polls >= r.Progress.Polls {
		r.complete(now)
	}
}

// Wrote remembers that the file is there, with parts of these sizes. An export whose file was late is complete at the instant.
func (r *Record) Wrote(sizes []int64, late bool, now time.Time) {
	if r.Written != nil || r.State(now).Status != Success {
		return
	}
	if r.Written = sizes; late && r.CompletedAt == nil {
		r.complete(now)
	}
}

// Step moves the export on by hand: from CREATED to PENDING, through its stages, and to its end. From then on it moves by hand only. An
// export that is final, or that was created after the instant, is an [Error] with code [AlreadyFinal] or [NotCreatedYet].
func (r *Record) Step(now time.Time) error {
	if err := r.movable(now, "stepped"); err != nil {
		return err
	}
	switch state := r.State(now); {
	case state.Status == Pending:
		if started, known := r.started(); known { // by time, which no longer moves it
			r.start(started)
		}
		r.Steps = state.Stage + 2
		if state.Stage == r.stages()-1 {
			r.complete(now)
		}
	case r.stages() == 0:
		r.complete(now)
	default:
		r.start(now)
		r.Steps = 1
		r.CompletedAt = nil
	}
	r.Progress = Progress{Mode: ModeManual}
	return nil
}

// Finish completes the export at the instant, with the outcome that its request asked for. The errors are those of [Record.Step].
func (r *Record) Finish(now time.Time) error {
	if err := r.movable(now, "finished"); err != nil {
		return err
	}
	r.complete(now)
	return nil
}

// Fail completes the export with ERROR at the instant. An empty message leaves a text that says the outcome was forced. The errors are
// those of [Record.Step].
func (r *Record) Fail(now time.Time, message string) error {
	if err := r.movable(now, "failed"); err != nil {
		return err
	}
	r.Outcome = OutcomeError
	r.ErrorMessage = message
	r.complete(now)
	return nil
}

func (r *Record) start(now time.Time) {
	started := now.UTC()
	r.StartedAt = &started
}

func (r *Record) complete(now time.Time) {
	completed := now.UTC()
	r.CompletedAt = &completed
}

// movable refuses a change that the next lookup could not show.
func (r *Record) movable(now time.Time, verb string) error {
	if now.Before(r.CreatedAt) {
		return errorf(NotCreatedYet, "export %s was created at %s, after the clock's %s: move the clock forward before it is %s",
			r.ID, r.CreatedAt.Format(time.RFC3339), now.UTC().Format(time.RFC3339), verb)
	}
	if state := r.State(now); state.Status.Final() {
		return errorf(AlreadyFinal, "export %s is %s since %s: only one that is CREATED or PENDING can be %s",
			r.ID, state.Status, state.CompletedAt.Format(time.RFC3339), verb)
	}
	return nil
}
