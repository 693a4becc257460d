package server

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"

// Live is what the server remembers.
func (s *Server) Live() *live.State { return s.live }
