package workers

import (
	"fmt"
	"net"
	"strconv"
)

// splitAddr reads "host:port"; port 0 asks the system for a free one, which the server spells -1.
func splitAddr(addr string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, err
	}
	port, err = strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is no port", text)
	}
	if port == 0 {
		port = -1
	}
	return host, port, nil
}
