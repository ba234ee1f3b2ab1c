package toolbox

import "syscall"

// endWithUs lets the system end the process when this program is killed: a server that hangs never sees that its input
// was closed. What it started sees that itself, or is left.
func endWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
