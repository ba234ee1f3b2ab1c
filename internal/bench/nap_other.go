//go:build !unix

package main

import "time"

func nap(d time.Duration) { time.Sleep(d) }
