// Package mocktest runs the mock export service inside a Go test.
//
//	func TestNightlyExport(t *testing.T) {
//		mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)})
//		client := myapp.NewExportClient(mock.URL(), mocktest.CompanyKey)
//
//		rows, err := client.CampaignEvents(t.Context(), mocktest.LiveKey, "welcome")
//		...
//		mock.Journal().Expect(mocktest.Filter{Route: "campaign.events", Status: "202"}).Once()
//	}
//
// Every mock has its own state, clock and journal: tests that start one each may run in parallel. Starting one takes about a millisecond,
// after the first one of the process, which compiles the schemas.
//
// A client reaches the mock over a socket, at [Mock.URL], or without one, through [Mock.Client] at the address [Base].
//
// When the test ends, the mock judges the client by its requests (see [Finding]): what breaks a rule of the specification fails the test,
// see [Options].Lints.
package mocktest
