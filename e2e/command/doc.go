// Package command tests the built program as a person runs it: its commands, their output and exit statuses.
package command
