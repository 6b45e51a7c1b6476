package python

import (
	"fmt"
	"mime"
	"strings"

	"reassay/sdkemu"
)

// statusErrors are the classes for statuses that have one (openai 2.54.0, _client.py, OpenAI._make_status_error).
var statusErrors = map[int]string{
	400: "BadRequestError",
	401: "AuthenticationError",
	403: "PermissionDeniedError",
	404: "NotFoundError",
	409: "ConflictError",
	422: "UnprocessableEntityError",
	429: "RateLimitError",
}

func statusErrorClass(status int) string {
	if c, ok := statusErrors[status]; ok {
		return c
	}
	if status >= 500 {
		return "InternalServerError"
	}
	return "APIStatusError"
}

// isSuccess is httpx.Response.is_success. Every such reply is read as a stream, whatever its content type.
func isSuccess(status int) bool { return status >= 200 && status <= 299 }

// raiseForStatus is what a reply with any other status raises: BaseClient._make_status_error_from_response.
func raiseForStatus(status int, in sdkemu.Input, depth int, messageAlone bool, class func(body value) string) error {
	if status >= 300 && status <= 399 && len(in.Headers["location"]) > 0 {
		return &limitError{what: "redirects: the reply names another location"}
	}
	if in.Break != nil {
		return broken(in.Break)
	}
	body, err := replyText(in)
	if err != nil {
		return err
	}
	text := stripSpace(body)
	v, unread := loads(text, depth)
	message := text
	switch {
	case messageAlone:
		message = ""
		if told := errorIn(v); unread == nil && told != "" {
			message = fmt.Sprintf("Error code: %d - %s", status, told)
		}
	case unread == nil:
		switch said, err := str(v); err.(type) {
		case nil:
			message = fmt.Sprintf("Error code: %d - %s", status, said)
		case *limitError:
			return err
		}
	}
	if message == "" {
		message = fmt.Sprintf("Error code: %d", status)
	}
	return raise(class(v), "%s", message)
}

// errorIn is the message of an error reply: of the object at "error", or of the body itself where there is none.
func errorIn(body value) string {
	if body.kind != kindDict {
		return ""
	}
	told, ok := body.dict().get("error")
	if !ok {
		told = body
	}
	if told.kind != kindDict {
		return ""
	}
	message, _ := told.dict().get("message")
	return message.text // of a str alone
}

// replyText is httpx.Response.text: decoded by the content type's charset, as UTF-8 without one, bad bytes replaced.
func replyText(in sdkemu.Input) (string, error) {
	contentType := in.ContentType
	if given := in.Headers["content-type"]; len(given) > 0 {
		contentType = given[0]
	}
	_, params, _ := mime.ParseMediaType(contentType)
	switch charset := strings.ToLower(params["charset"]); charset {
	case "", "utf-8", "utf8":
		return decodeReplacing(in.Body), nil
	case "us-ascii", "ascii":
		return decodeBytes(in.Body, 0x80), nil
	case "iso-8859-1", "latin-1", "latin1":
		return decodeBytes(in.Body, 0x100), nil
	default:
		return "", &limitError{what: "charsets of an error body: " + charset}
	}
}

// decodeBytes reads each byte below limit as its code point, others as U+FFFD.
func decodeBytes(b []byte, limit rune) string {
	var out strings.Builder
	for _, c := range b {
		r := rune(c)
		if r >= limit {
			r = '\ufffd'
		}
		out.WriteRune(r)
	}
	return out.String()
}

// broken is what the transport raises where the body breaks off, and the SDK passes on as it is.
func broken(b *sdkemu.Break) error { return &raised{class: "RemoteProtocolError", message: b.Message} }
