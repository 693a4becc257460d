package mockserver

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"

// Limits are what a server may use: Memory, Disk, Body, Connections and Rows, each
// of type int64. 0 means the default. What exceeds a limit is refused before the
// work, by name and number, and /_mock/metrics shows what is used.
type Limits = budget.Main
