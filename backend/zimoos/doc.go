// Package zimoos knows what a ZimoOS frame is: how it is recognised in a tool result, how the one current frame is
// kept (Slot), how it is shown to the model (Block), how public tool names become function names (Names), and how
// text that imitates any of these is made inert (Neutralise).
//
// Contract: everything here is a pure function of its arguments, but for Slot, which its owner guards. Nothing
// blocks, nothing is logged, no clock is read. Frames are never changed after they were parsed.
package zimoos
