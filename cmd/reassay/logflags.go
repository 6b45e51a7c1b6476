package main

import (
	"io"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// logFlags say how a long-running command logs.
type logFlags struct {
	format string
	level  string
}

func (f *logFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.format, "log", "json", "how the log is written: json, a line each, or console, for people")
	c.Flags().StringVar(&f.level, "log-level", "info", "what is logged: debug, info, warn or error, each with all that is worse")
}

// logger writes to w.
func (f *logFlags) logger(w io.Writer) (*zap.Logger, error) {
	level, err := zapcore.ParseLevel(f.level)
	if err != nil || level > zapcore.ErrorLevel {
		return nil, usage("--log-level: unknown level %q, want debug, info, warn or error", f.level)
	}
	config := zap.NewProductionEncoderConfig()
	config.EncodeTime = zapcore.ISO8601TimeEncoder
	var encoder zapcore.Encoder
	switch f.format {
	case "json":
		encoder = zapcore.NewJSONEncoder(config)
	case "console":
		config.EncodeLevel = zapcore.CapitalLevelEncoder
		encoder = zapcore.NewConsoleEncoder(config)
	default:
		return nil, usage("--log: unknown form %q, want json or console", f.format)
	}
	return zap.New(zapcore.NewCore(encoder, zapcore.Lock(zapcore.AddSync(w)), level)), nil
}
