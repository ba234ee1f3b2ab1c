//go:build deps

package main

import (
	_ "github.com/mark3labs/mcp-go/client"
	_ "github.com/mark3labs/mcp-go/server"
	_ "github.com/mark3labs/mcp-go/mcp"
	_ "github.com/openai/openai-go/v3"
	_ "github.com/rivo/uniseg"
	_ "github.com/spf13/cobra"
	_ "github.com/spf13/pflag"
	_ "github.com/tailscale/hujson"
	_ "github.com/tiktoken-go/tokenizer"
	_ "github.com/wailsapp/wails/v2"
	_ "go.etcd.io/bbolt"
	_ "go.uber.org/goleak"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/text/encoding/simplifiedchinese"
	_ "pgregory.net/rapid"
)
