package control

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// upload takes the share of a body that is held in memory as a whole, because all of it counts or nothing. One that does not give its
// length may be as long as the budget. The function that it returns gives the share back.
func (a *API) upload(r *httpd.Request) (done func(), err error) {
	uploads := a.Budgets.Of(budget.Upload)
	share := r.ContentLength
	if share < 0 {
		share = uploads.Limit()
	}
	if err := uploads.Wait(r.Connected(), share); err != nil {
		return nil, err
	}
	return func() { uploads.Give(share) }, nil
}
