package mocktest

import (
	"net/url"
	"time"
)

// Arrivals says what a client should have met in the file of an export: which
// rows are missing because they arrive later, come twice or have a wrong date.
type Arrivals struct {
	// Arrival is how rows arrive, such as "late=0.03,72h0m0s"; empty when all are on time.
	Arrival string `json:"arrival"`
	// Rows counts the rows of the file, whatever a scenario cuts off.
	Rows int64 `json:"rows"`
	// Missing are the rows of the window that had not arrived when the file was asked for, Twice those that come twice in the file, or
	// for the second time in it, Skewed those with the date of a wrong clock.
	Missing ArrivingRows `json:"missing"`
	Twice   ArrivingRows `json:"twice"`
	Skewed  ArrivingRows `json:"skewed"`
	// CompleteAt is when the last missing row arrives; zero when none is missing.
	CompleteAt time.Time `json:"complete_at"`
}

// ArrivingRows are all rows of one sort, in the order of the file.
type ArrivingRows struct {
	Rows     int64         `json:"rows"` // how many there are
	Examples []ArrivingRow `json:"examples"`
}

// ArrivingRow is a row as the file writes it, when it happened, and from when on
// files have it. Times are those of the clock of the mock, in whole seconds.
type ArrivingRow struct {
	HappenedAt time.Time `json:"happened_at"`
	ArrivesAt  time.Time `json:"arrives_at"`
	Row        string    `json:"row"`
}

// Arrivals reports on the file of an export, by its identifier: one of the client or of [Mock.Create]. All rows are in memory at once. An
// export that is not there, or that has no file yet, ends the test.
func (m *Mock) Arrivals(export string) Arrivals {
	m.t.Helper()
	var all Arrivals
	for from := ""; ; {
		var page struct {
			Arrivals
			Next string `json:"next_from"`
		}
		m.control("GET", "/_mock/exports/"+url.PathEscape(export)+"/arrivals"+query("from", from, "limit", "1000"), nil, &page)
		page.Missing.Examples = append(all.Missing.Examples, page.Missing.Examples...)
		page.Twice.Examples = append(all.Twice.Examples, page.Twice.Examples...)
		page.Skewed.Examples = append(all.Skewed.Examples, page.Skewed.Examples...)
		all = page.Arrivals
		if from = page.Next; from == "" {
			return all
		}
	}
}
