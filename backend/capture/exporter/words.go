package exporter

import "fmt"

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
