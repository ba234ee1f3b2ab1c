package zimoos

// Slot is `zimoos.currentFrame`: the one live frame and where it came from. Its owner guards it; it is replaced
// whole or emptied, never filled from old text.
type Slot struct {
	Frame  *Frame
	Tool   string // public name of the tool that gave the frame
	CallID string
	seq    uint64
	ever   bool
}

// Offer puts a frame into the slot unless a call that started later has already filled it. seq is the order in
// which calls were started; it only grows. The result says whether the frame was taken.
func (s *Slot) Offer(f *Frame, tool, callID string, seq uint64) bool {
	if f == nil || seq < s.seq {
		return false
	}
	*s = Slot{Frame: f, Tool: tool, CallID: callID, seq: seq, ever: true}
	return true
}

// Clear empties the slot: reset, session switch, resume, import.
func (s *Slot) Clear() { *s = Slot{seq: s.seq, ever: s.ever} }

// EverFilled says that this session has seen a frame, so that an empty slot is worth a block of its own.
func (s *Slot) EverFilled() bool { return s.ever }

// Remember marks the slot of a resumed session as one that has seen a frame, without giving it one.
func (s *Slot) Remember() { s.ever = true }
