package rules

import (
	"encoding/json"

	"reassay/wire"
)

// Tier is how much a finding weighs: T1 is counted, T2 reported apart, T3 recorded and never counted.
type Tier string

// The tiers (RULES.md).
const (
	T1 Tier = "T1"
	T2 Tier = "T2"
	T3 Tier = "T3"
)

// Support says whether the caller's dialect could have carried what was lost.
type Support string

// The answers to "could the target dialect have carried it?".
const (
	Avoidable   Support = "avoidable"
	Unavoidable Support = "unavoidable"
	Borderline  Support = "borderline"
)

// Cause says whose doing a finding is.
type Cause string

// The causes.
const (
	ByGateway    Cause = "gateway"
	BySDK        Cause = "sdk"
	ByUpstream   Cause = "upstream"
	Undetermined Cause = "undetermined"
)

// FieldClass says what part of the reply a finding touches.
type FieldClass string

// The classes of field.
const (
	Visible  FieldClass = "visible"
	Other    FieldClass = "other"
	Metadata FieldClass = "metadata"
	Control  FieldClass = "control"
)

// The scopes of a finding: the paper's fault model, or what reassay adds to it.
const (
	ScopePaper = "paper"
	ScopeOurs  = "ours"
)

// At is a place in a leg's body; frame and byte are 0-based.
type At struct {
	Leg   string `json:"leg"`
	Frame int    `json:"frame"`
	Byte  int    `json:"byte"`
}

// Finding is one difference or defect, as a verdict carries it (contract, section 3).
type Finding struct {
	ID              string      `json:"id"`
	Fingerprint     string      `json:"fingerprint"`
	Rule            string      `json:"rule"`
	Name            string      `json:"name"`
	Mechanism       string      `json:"mechanism"`
	Tier            Tier        `json:"tier"`
	Leg             string      `json:"leg"`
	Construct       string      `json:"construct"`
	Path            string      `json:"path"`
	Expected        *wire.Value `json:"expected"`
	Got             *wire.Value `json:"got"`
	Support         Support     `json:"support,omitempty"`
	NativeField     string      `json:"native_field,omitempty"`
	Silent          *bool       `json:"silent"`
	DeclaredBy      string      `json:"declared_by,omitempty"`
	Scope           string      `json:"scope,omitempty"` // "paper" or "ours"
	Field           FieldClass  `json:"field,omitempty"`
	Cause           Cause       `json:"cause,omitempty"`
	UpstreamOffSpec bool        `json:"upstream_off_spec,omitempty"`
	At              *At         `json:"at,omitempty"`
	Related         []At        `json:"related,omitempty"`
	Consequences    []string    `json:"consequences,omitempty"`
	Message         string      `json:"message"`

	whole bool // the leg is no stream at all: whatever an SDK does with it follows from that
}

// UnmarshalJSON reads a finding so that an expected or got value of null stays apart from none.
func (f *Finding) UnmarshalJSON(text []byte) error {
	type plain Finding
	values := struct {
		*plain
		Expected json.RawMessage `json:"expected"`
		Got      json.RawMessage `json:"got"`
	}{plain: (*plain)(f)}
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	for _, v := range []struct {
		text json.RawMessage
		into **wire.Value
	}{{values.Expected, &f.Expected}, {values.Got, &f.Got}} {
		if v.text == nil {
			continue
		}
		parsed, err := wire.Parse(v.text)
		if err != nil {
			return err
		}
		*v.into = &parsed
	}
	return nil
}
