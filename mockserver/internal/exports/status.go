package exports

// Status is where an export request stands (export API section 3).
type Status string

// The four statuses, in the order in which an export moves through them. The last two are final.
const (
	Created Status = "CREATED"
	Pending Status = "PENDING"
	Success Status = "SUCCESS"
	Failed  Status = "ERROR"
)

// Final reports whether an export with this status never moves again.
func (s Status) Final() bool { return s == Success || s == Failed }

// Outcome is how an export ends. The zero value ends in SUCCESS.
type Outcome string

// The outcomes a scenario may ask for.
const (
	OutcomeSuccess Outcome = "success"
	OutcomeError   Outcome = "error"
)

// status is the final status of an export with this outcome.
func (o Outcome) status() Status {
	if o == OutcomeError {
		return Failed
	}
	return Success
}
