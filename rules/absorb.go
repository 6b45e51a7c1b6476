package rules

import (
	"slices"
	"strings"

	"reassay/assemble"
	"reassay/convir"
)

// absorbs says which faults are only the other face of a fault: where the first is there, the others are its
// consequences and no findings of their own.
var absorbs = []struct {
	cause assemble.FaultCode
	faces []assemble.FaultCode
	where place
}{
	// A frame that is cut cannot be read.
	{assemble.CutFrame, []assemble.FaultCode{assemble.BadJSON, assemble.EmptyData}, sameFrame},
	// A stream that breaks off leaves everything open and lacks every kind of end.
	{assemble.NoFinish, []assemble.FaultCode{assemble.CutFrame, assemble.NoTerminal, assemble.BlockLeftOpen, assemble.DoneMissing, assemble.FinishEmpty}, anywhere},
	{assemble.NoTerminal, []assemble.FaultCode{assemble.CutFrame, assemble.BlockLeftOpen}, anywhere},
	// A second reply in one stream comes after the first one's end, with another id, and begins every ledger anew.
	{assemble.StartTwice, []assemble.FaultCode{assemble.AfterTerminal, assemble.IDChanged, assemble.IndexReused, assemble.SequenceInvalid,
		assemble.ItemDuplicated, assemble.CallIDReused, assemble.FinalMismatch, assemble.BlockOverlap, assemble.BlockLeftOpen, assemble.AfterFinish}, anywhere},
	// A frame cut off from its name leaves a name without data and data without a name.
	{assemble.EmptyData, []assemble.FaultCode{assemble.EventMismatch}, anywhere},
	// A payload that cannot be read loses what it would have opened or closed.
	{assemble.BadJSON, []assemble.FaultCode{assemble.BlockLeftOpen, assemble.BlockNotOpen, assemble.IndexGap, assemble.IndexStart}, anywhere},
	// Data that is no chunk lacks all fields of one.
	{assemble.UnknownEvent, []assemble.FaultCode{assemble.EventMismatch}, anywhere},
	// An event for a block that never started is why that block has no place.
	{assemble.BlockNotOpen, []assemble.FaultCode{assemble.IndexGap, assemble.CallIDMissing, assemble.NameMissing}, anywhere},
	// A block that opens inside another leaves that one open.
	{assemble.BlockOverlap, []assemble.FaultCode{assemble.BlockLeftOpen}, anywhere},
	// An item that is never done is missing in the final object.
	{assemble.BlockLeftOpen, []assemble.FaultCode{assemble.FinalMismatch}, anywhere},
	// An item announced twice has its id and index twice.
	{assemble.ItemDuplicated, []assemble.FaultCode{assemble.IndexReused, assemble.CallIDReused}, anywhere},
	// Done and final events that disagree with the deltas disagree with each other.
	{assemble.DoneMismatch, []assemble.FaultCode{assemble.FinalMismatch}, anywhere},
	{assemble.DeltaMismatch, []assemble.FaultCode{assemble.DoneMismatch, assemble.FinalMismatch}, anywhere},
	{assemble.WrongType, []assemble.FaultCode{assemble.DoneMismatch, assemble.FinalMismatch}, anywhere},
	// A block that starts a second time has the first one's index, and starts inside it.
	{assemble.IndexReused, []assemble.FaultCode{assemble.BlockOverlap}, sameFrame},
	// A later piece of a call under another id is no second call, which would have a name and a type.
	{assemble.IndexReused, []assemble.FaultCode{assemble.NameMissing, assemble.TypeMissing, assemble.CallIDReused}, sameFrame},
	// What comes behind the end finds nothing open, whatever it is.
	{assemble.AfterTerminal, []assemble.FaultCode{assemble.FinalMismatch}, anywhere},
	{assemble.AfterTerminal, []assemble.FaultCode{assemble.BlockNotOpen, assemble.AfterFinish, assemble.SequenceInvalid}, sameFrame},
	// A stream that breaks off behind an event's name leaves that without data.
	{assemble.NoFinish, []assemble.FaultCode{assemble.EmptyData}, sameFrame},
	{assemble.NoTerminal, []assemble.FaultCode{assemble.EmptyData}, sameFrame},
	// A last payload that cannot be read had the end.
	{assemble.BadJSON, []assemble.FaultCode{assemble.NoFinish, assemble.NoTerminal}, sameFrame},
	// A payload that cannot be read is missing in the sum of the deltas.
	{assemble.BadJSON, []assemble.FaultCode{assemble.DoneMismatch, assemble.FinalMismatch}, anywhere},
	// A payload that cannot be read had the sequence number that is then missing, or the start.
	{assemble.BadJSON, []assemble.FaultCode{assemble.SequenceInvalid, assemble.NoStart}, nextFrame},
}

// place says where a face must show to be one.
type place int

// The places.
const (
	anywhere  place = iota
	sameFrame       // first in a frame of the cause
	nextFrame       // always in the frame behind one of the cause
)

// faces reports whether a fault shows where a face of the cause does. What is another's face is no cause of its own.
func (w place) faces(cause, face *fault) bool {
	if w == anywhere {
		return true
	}
	if cause.excused {
		return false
	}
	shows := face.all
	if w == sameFrame {
		shows = shows[:1]
	}
	for _, x := range shows {
		if !slices.ContainsFunc(cause.all, func(y assemble.Fault) bool { return x.At.Frame == y.At.Frame+int(w-sameFrame) }) {
			return false
		}
	}
	return true
}

// nameless: a call that cannot be named by its id lacks its name and type for the same reason.
var nameless = map[assemble.FaultCode]bool{assemble.CallIDMissing: true, assemble.CallIDEmpty: true, assemble.CallIDReused: true}

// callPath is the part of a path that names a call, block or item.
func callPath(path string) string { return path[:strings.LastIndexByte(path, ']')+1] }

// unread marks what may have stood in a payload, or a list of choices, that could not be read: the finish reason where
// the stream went on to its end, and the role where the first of its choice was lost.
func unread(l *Leg, faults []fault) {
	for i := range faults {
		cause := &faults[i]
		list := cause.entry.Code == assemble.WrongType && strings.HasPrefix(convir.ChoicePath(l.Dialect, 0), cause.all[0].Path+"[")
		if cause.entry.Code != assemble.BadJSON && !list || cause.excused {
			continue
		}
		for k := range faults {
			face := &faults[k]
			ended := l.Assembled.Terminal || sameFrame.faces(cause, face)
			if face.entry.Code == assemble.NoFinish && ended || face.entry.Code == assemble.RoleMissing && nextFrame.faces(cause, face) {
				face.excused, face.of = true, cause
			}
		}
	}
}

// absorb marks the faults of a leg that are another's consequence.
func absorb(l *Leg, faults []fault) {
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
	for _, a := range absorbs {
		for i := range faults {
			if faults[i].entry.Code != a.cause {
				continue
			}
			for k := range faults {
				if slices.Contains(a.faces, faults[k].entry.Code) && a.where.faces(&faults[i], &faults[k]) {
					faults[k].excused = true
					if a.where != anywhere {
						faults[k].of = &faults[i]
					}
				}
			}
		}
	}
	unread(l, faults)
}
