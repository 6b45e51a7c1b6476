package rules

// Version is the version of the catalogue; it rises whenever a rule's verdict can differ.
const Version = "1"

// Catalogue lists every rule in the order of its id.
var Catalogue = []*Rule{}
