package rules

// Version is the version of the catalogue; it rises whenever a rule's verdict can differ.
const Version = "5"

// Catalogue lists every rule in the order of its id. A test holds it to the files of the package.
var Catalogue = []*Rule{
	D01, D02, D03, D04, D05, D06,
	R01, R02, R03, R04, R05, R06, R07, R08,
	S01, S02, S03, S04, S05, S06, S07, S08, S08F, S09, S10, S11, S12, S13,
}
