package rules

import "embed"

// Sources are the package's own sources: a verdict names the rules that it was made with by their hash.
//
//go:embed *.go
var Sources embed.FS
