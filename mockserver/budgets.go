package mockserver

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"

// Budgets limit what a server may use. The zero value has the defaults; what
// exceeds a budget is refused before the work, by name and number, and
// /_mock/metrics shows what is used.
//
// Its fields are of type int64, but for the two of type time.Duration that
// [BudgetTimes] holds:
//
//	Body         bytes of the largest payload; 1 MiB
//	Upload       bytes of snapshots and rows that clients send at a time; 64 MiB
//	Data         bytes of the files of a dataset; 4 GiB
//	DataRows     rows of all datasets; 20,000,000
//	Kept         bytes of small files that stay in memory; 256 MiB
//	Render       pieces of files that are rendered at a time; one less than GOMAXPROCS
//	Disk         bytes of temporary files, those of large exports among them; 16 GiB
//	Connections  connections that are open at a time (see Server.LimitConnections); 16,384
//	Journal      bytes of the journal; 128 MiB
//	Exports      bytes of export requests in a state in memory; 1 GiB
//	Work         how long the work of one request may take; 10 minutes
//	Wait         how long work waits for what others use; 10 seconds
type Budgets = budget.Limits

// BudgetTimes are the budgets of time, a part of [Budgets].
type BudgetTimes = budget.Times
