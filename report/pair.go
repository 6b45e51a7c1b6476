package report

import (
	"fmt"
	"strings"

	"reassay/check"
	"reassay/wire"
)

// pair is the two SDKs over which a caller dialect's union and split are made, with the versions of the headline.
type pair struct {
	python, node                 string
	headlinePython, headlineNode string // "" where the contract names no headline version
}

// pairs gives each caller dialect its vendor's Python and Node SDK. Source: contract, section 5: the headline pair is
// openai-python 2.54.0 and openai-node 5.23.2, the versions of the paper's Table 22; for Anthropic callers the
// Anthropic pair, for which the paper has no figure to stand beside.
var pairs = map[wire.Dialect]pair{
	wire.OpenAIChat:        openAIPair,
	wire.OpenAIResponses:   openAIPair,
	wire.AnthropicMessages: {"anthropic-python", "anthropic-node", "", ""},
}

var openAIPair = pair{"openai-python", "openai-node", "2.54.0", "5.23.2"}

// headlinePair names the pair of the paper's Table 22.
var headlinePair = fmt.Sprintf("%s %s and %s %s", openAIPair.python, openAIPair.headlinePython, openAIPair.node, openAIPair.headlineNode)

// pairOf picks one version of each SDK of d's pair out of the SDKs that ran: the headline's version where it ran,
// else the first named. ok is false where the pair did not run.
func pairOf(d wire.Dialect, ran []string) (python, node sdkVersion, headline, ok bool) {
	p, known := pairs[d]
	if !known {
		return sdkVersion{}, sdkVersion{}, false, false
	}
	python, okPython := pick(p.python, p.headlinePython, ran)
	node, okNode := pick(p.node, p.headlineNode, ran)
	headline = p.headlinePython != "" && python.Version == p.headlinePython && node.Version == p.headlineNode
	return python, node, headline, okPython && okNode
}

func pick(sdk, version string, ran []string) (sdkVersion, bool) {
	var first sdkVersion
	for _, name := range ran {
		s := parseSDKVersion(name)
		switch {
		case s.SDK != sdk:
		case s.Version == version:
			return s, true
		case first.SDK == "":
			first = s
		}
	}
	return first, first.SDK != ""
}

// sdkVersion is one version of one SDK.
type sdkVersion struct {
	SDK     string `json:"sdk"`
	Version string `json:"version"`
}

// parseSDKVersion reads "openai-node@5.23.2".
func parseSDKVersion(name string) sdkVersion {
	sdk, version, _ := strings.Cut(name, "@")
	return sdkVersion{sdk, version}
}

func (s sdkVersion) String() string { return s.SDK + " " + s.Version }

// runOf is v's run of s in this mode, nil when there is none.
func runOf(v check.Verdict, s sdkVersion, mode string) *check.SDK {
	for i := range v.SDKs {
		if r := &v.SDKs[i]; r.SDK == s.SDK && r.Version == s.Version && r.Mode == mode {
			return r
		}
	}
	return nil
}
