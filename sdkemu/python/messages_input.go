package python

// toolInputs are the texts of the tools' inputs as they grow. The SDK reads a text anew as JSON at every delta; what comes
// of it is seen by nobody but in the final message, so here only its errors are looked for before that.
type toolInputs struct {
	buffers map[inputKey]*inputBuffer
	blocks  []*model                // those that have an input, in the order in which they got it
	latest  map[*model]*inputBuffer // of each of them: the text that was read last
}

// inputKey is what a text belongs to: the index that its deltas name, or the block itself.
type inputKey struct {
	index int64
	block *model
}

type inputBuffer struct {
	text  value // a str
	check partialCheck
}

// inputProperty is where 0.121.0 keeps the text of a block's input: JSON_BUF_PROPERTY.
const inputProperty = "__json_buf"

// addInput adds what text gives to the input of the block at an index.
func (s *messageStream) addInput(block, index value, text func() (value, error)) error {
	m := block.model()
	key := inputKey{block: m}
	if !s.ways.keepsInputInBlock {
		n, _ := index.small()
		key = inputKey{index: n}
	}
	b := s.inputs.buffers[key]
	given := none // a key of the reply's that is taken for the text
	if b == nil && s.ways.keepsInputInBlock && m.extra != nil {
		given, _ = m.extra.get(inputProperty)
		if m.extra.find(inputProperty) < 0 {
			b = &inputBuffer{text: ofStr("")}
		}
	} else if b == nil {
		b = &inputBuffer{text: ofStr("")}
	}
	more, err := text()
	if err != nil {
		return err
	}
	if b == nil {
		return addBytes(given)
	}
	if b.text = concat(b.text, more); b.text.text != "" {
		if err := b.check.feed(b.text, s.work); err != nil {
			return s.inputError(b.text, err)
		}
		s.inputs.note(m, b)
	}
	s.inputs.keep(key, b)
	return nil
}

// bytesOf is bytes(delta.partial_json, "utf-8").
func bytesOf(delta value) (value, error) {
	v, err := attribute(delta, "partial_json")
	switch {
	case err != nil:
		return none, err
	case v.kind != kindStr:
		return none, raise("TypeError", "encoding without a string argument")
	}
	return v, encodable(v.text)
}

// addBytes is what v += b"..." raises for what a reply can hold in the place of bytes.
func addBytes(v value) error {
	switch v.kind {
	case kindStr:
		return raise("TypeError", "can only concatenate str (not \"bytes\") to str")
	case kindList:
		return &limitError{what: "inputs of tools: a list stands for the text of one"}
	}
	return raise("TypeError", "unsupported operand type(s) for +=: '%s' and 'bytes'", v.className())
}

// inputError is what becomes of a ValueError of the JSON reader.
func (s *messageStream) inputError(text value, err error) error {
	e, ok := err.(*raised)
	if !ok || s.ways.keepsInputInBlock {
		return err
	}
	return raise("ValueError", "Unable to parse tool parameter JSON from model. Please retry your request or adjust your prompt. Error: %s. JSON: %s", e.message, text.text)
}

func (t *toolInputs) keep(key inputKey, b *inputBuffer) {
	if t.buffers == nil {
		t.buffers = map[inputKey]*inputBuffer{}
	}
	t.buffers[key] = b
}

func (t *toolInputs) note(block *model, b *inputBuffer) {
	if t.latest == nil {
		t.latest = map[*model]*inputBuffer{}
	}
	if t.latest[block] == nil {
		t.blocks = append(t.blocks, block)
	}
	t.latest[block] = b
}

// settle gives every block the input that its text holds.
func (t *toolInputs) settle() error {
	for _, block := range t.blocks {
		text := t.latest[block].text.text
		v, fault := parsePartial(text)
		if fault != nil {
			return raise("ValueError", "%s", fault.described(text)) // never: the text was checked as it grew
		}
		if err := assignAttribute(ofModel(block), "input", v); err != nil {
			return err
		}
	}
	return nil
}
