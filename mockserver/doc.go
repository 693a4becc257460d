// Package mockserver is a mock of the asynchronous export service, as an
// [http.Handler]: it validates requests as the specification of the service
// says, moves exports through their states, and writes files of the shape that
// the specification describes. It was never compared with the real service.
//
//	server, err := mockserver.New(mockserver.Options{})
//	if err != nil {
//		return err
//	}
//	defer server.Close()
//	http.ListenAndServe("localhost:8080", server)
//
// For tests, package mocktest starts one in a line, with a clock, a journal and a judgement of the client.
//
// The zero Options keep everything in memory, accept the demo credentials and are deterministic: the same requests make the same files.
// Package mockserver/state keeps the state in a file or in a database. The command cmd/mockserver is this package with flags.
package mockserver
