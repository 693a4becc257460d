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
//	Kept         bytes in which the places of rows in laid-out files are kept, and a quarter as many their text; 256 MiB
//	Render       blocks of files that are rendered at a time; one less than GOMAXPROCS
//	Layout       profiles of the files that are laid out at a time; 1,000,000,000
//	Disk         bytes of temporary files; 16 GiB
//	Connections  connections that are open at a time (see Server.LimitConnections); 16,384
//	Journal      bytes of the journal; 128 MiB
//	Exports      bytes of export requests in a state in memory; 1 GiB
//	Work         how long the work of one request may take; 10 minutes
//	Wait         how long work waits for what others use; 10 seconds
type Budgets = budget.Limits

// BudgetTimes are the budgets of time, a part of [Budgets].
type BudgetTimes = budget.Times
