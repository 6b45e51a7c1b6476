package rules

import (
	"strings"

	"reassay/assemble"
)

// absorbs says which faults are only the other face of a fault: where the first is there, the others are its
// consequences and no findings of their own.
var absorbs = []struct {
	cause assemble.FaultCode
	faces []assemble.FaultCode
}{
	// A stream that breaks off leaves everything open and lacks every kind of end.
	{assemble.NoFinish, []assemble.FaultCode{assemble.CutFrame, assemble.NoTerminal, assemble.BlockLeftOpen, assemble.DoneMissing, assemble.FinishEmpty}},
	{assemble.NoTerminal, []assemble.FaultCode{assemble.CutFrame, assemble.BlockLeftOpen}},
	// A second reply in one stream comes after the first one's end, with another id, and begins every ledger anew.
	{assemble.StartTwice, []assemble.FaultCode{assemble.AfterTerminal, assemble.IDChanged, assemble.IndexReused, assemble.SequenceInvalid,
		assemble.ItemDuplicated, assemble.CallIDReused, assemble.FinalMismatch, assemble.BlockOverlap, assemble.BlockLeftOpen}},
	// A frame cut off from its name leaves a name without data and data without a name.
	{assemble.EmptyData, []assemble.FaultCode{assemble.EventMismatch}},
	// A payload that cannot be read loses what it would have opened or closed.
	{assemble.BadJSON, []assemble.FaultCode{assemble.BlockLeftOpen, assemble.BlockNotOpen, assemble.IndexGap, assemble.IndexStart}},
	// Data that is no chunk lacks all fields of one.
	{assemble.UnknownEvent, []assemble.FaultCode{assemble.EventMismatch}},
	// An event for a block that never started is why that block has no place.
	{assemble.BlockNotOpen, []assemble.FaultCode{assemble.IndexGap, assemble.CallIDMissing, assemble.NameMissing}},
	// A block that opens inside another leaves that one open.
	{assemble.BlockOverlap, []assemble.FaultCode{assemble.BlockLeftOpen}},
	// An item that is never done is missing in the final object.
	{assemble.BlockLeftOpen, []assemble.FaultCode{assemble.FinalMismatch}},
	// An item announced twice has its id and index twice.
	{assemble.ItemDuplicated, []assemble.FaultCode{assemble.IndexReused, assemble.CallIDReused}},
	// Done and final events that disagree with the deltas disagree with each other.
	{assemble.DoneMismatch, []assemble.FaultCode{assemble.FinalMismatch}},
	{assemble.DeltaMismatch, []assemble.FaultCode{assemble.DoneMismatch, assemble.FinalMismatch}},
	{assemble.WrongType, []assemble.FaultCode{assemble.DoneMismatch, assemble.FinalMismatch}},
}

// nameless: a call that cannot be named by its id lacks its name and type for the same reason.
var nameless = map[assemble.FaultCode]bool{assemble.CallIDMissing: true, assemble.CallIDEmpty: true, assemble.CallIDReused: true}

// callPath is the part of a path that names a call, block or item.
func callPath(path string) string { return path[:strings.LastIndexByte(path, ']')+1] }

// absorb marks the faults that are another's consequence.
func absorb(faults []fault) {
	for i := range faults {
		if !nameless[faults[i].entry.Code] {
			continue
		}
		for k := range faults {
			code := faults[k].entry.Code
			if (code == assemble.NameMissing || code == assemble.TypeMissing) && len(faults[k].all) == 1 && callPath(faults[k].all[0].Path) == callPath(faults[i].all[0].Path) {
				faults[k].excused, faults[k].of = true, &faults[i]
			}
		}
	}
	there := map[assemble.FaultCode]bool{}
	for i := range faults {
		there[faults[i].entry.Code] = true
	}
	for _, a := range absorbs {
		if !there[a.cause] {
			continue
		}
		for i := range faults {
			for _, face := range a.faces {
				if faults[i].entry.Code == face {
					faults[i].excused = true
				}
			}
		}
	}
}
