package cachemodel

// LetGo drops the text of a counted piece and gives how many bytes that were. The piece keeps its tokens; another one
// that begins like it is no longer found to.
func (p *Pieces) LetGo(id int32) int {
	n := len(p.list[id].Text)
	p.list[id].Text = nil
	return n
}
