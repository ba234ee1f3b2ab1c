// Package heard lists the sentences that reach a window as English text alone: errors that wrap one another on their
// way up, notes of an import or of the proxy, the checklist of the end-to-end run. The front end recognises them by these
// templates and says them in its own language; what it doesn't recognise it shows as it came.
//
// Contract: each template is written in the source of the package that says it, or made from the code or value that says
// it where that is the system. A test fails when it no longer is.
package heard

import "zimoscope/backend/said"

// Catalogues lists the families.
func Catalogues() []said.Catalogue {
	return []said.Catalogue{faults, provider, servers, settings, notes, formats, checklist, system}
}
