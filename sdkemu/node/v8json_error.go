package node

import (
	"strconv"
)

// The messages of V8 11.3 (Node 20): src/json/json-parser.cc, JsonParser::LookUpErrorMessageForJsonToken, and
// src/common/message-template.h, kJsonParse…

// fail sets the message of a SyntaxError at the current place, which V8 counts in UTF-16 units.
func (p *jsonParser) fail(upTo string) bool {
	p.message = upTo + " " + strconv.Itoa(unitCount(p.s[:p.i]))
	return false
}

// around is how many UTF-16 units V8 shows on each side of an unexpected token.
const around = 10

// notJSON are the texts that V8 names whole: what String() makes of values that were never JSON.
var notJSON = map[string]bool{"[object Object]": true, "NaN": true, "Infinity": true, "undefined": true}

// unexpected sets the message for a token that cannot stand at the current place.
func (p *jsonParser) unexpected() bool {
	if p.i >= len(p.s) {
		p.message = "Unexpected end of JSON input"
		return false
	}
	switch c := p.s[p.i]; {
	case c == '"':
		return p.fail("Unexpected string in JSON at position")
	case c == '-' || isDigit(c):
		return p.fail("Unexpected number in JSON at position")
	}
	if notJSON[p.s] {
		p.message = `"` + p.s + `" is not valid JSON`
		return false
	}
	all := toUnits(p.s)
	at := unitCount(p.s[:p.i])
	from, to := 0, len(all)
	before, after := "", ""
	if len(all) > 2*around {
		if at >= around {
			from, before = at-around, "..."
		}
		if at < len(all)-around {
			to, after = at+around, "..."
		}
	}
	p.message = "Unexpected token '" + fromUnits(all[at:at+1]) + `', ` + before + `"` + fromUnits(all[from:to]) + `"` + after + " is not valid JSON"
	return false
}
