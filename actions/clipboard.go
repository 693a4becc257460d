package actions

// clipboard: service.clipboard copies the text `t` to the clipboard; the empty text clears it.
func clipboard(in *input) effect {
	text := in.text("t")
	return func(x *execution) {
		if x.host.Clipboard == nil {
			x.unsupported(CapabilityClipboard)
			return
		}
		x.host.Clipboard.WriteText(text, x.done(nil))
	}
}

func clipboardState(h *Host) State { return h.stateOf(h.Clipboard != nil, CapabilityClipboard) }
