package toolbox

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

func TestAServerThatHangsEndsWithAProgramThatIsKilled(t *testing.T) {
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), fakeEnv+"=owner")
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	pid, nerr := strconv.Atoi(strings.TrimSpace(line))
	_ = owner.Process.Kill()
	_ = owner.Wait()
	if err != nil || nerr != nil || pid == 0 {
		t.Fatalf("%q %v %v", line, err, nerr)
	}
	if err := gone(t, pid); err != nil {
		t.Error(err)
	}
}
