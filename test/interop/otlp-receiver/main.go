// Runs the OTLP receiver of the OpenTelemetry Collector by itself: `receiver <address>`. Prints "ready", then what
// every request held as the Collector understood it, one JSON line each. A first record whose body is "refuse" or
// "busy" makes the pipeline behind the receiver fail, for good or for now.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/receiver/receivertest"
)

func main() {
	factory := otlpreceiver.NewFactory()
	config := factory.CreateDefaultConfig()
	settings := confmap.NewFromStringMap(map[string]any{
		"protocols": map[string]any{"http": map[string]any{"endpoint": os.Args[1]}},
	})
	check(settings.Unmarshal(config))
	next, err := consumer.NewLogs(take)
	check(err)
	ctx := context.Background()
	receiver, err := factory.CreateLogs(ctx, receivertest.NewNopSettings(factory.Type()), config, next)
	check(err)
	check(receiver.Start(ctx, componenttest.NewNopHost()))
	fmt.Println(`"ready"`)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	check(receiver.Shutdown(ctx))
}

func take(_ context.Context, logs plog.Logs) error {
	switch firstBody(logs) {
	case "refuse":
		return consumererror.NewPermanent(errors.New("the pipeline refuses this record"))
	case "busy":
		return errors.New("the pipeline is busy")
	}
	line, err := (&plog.JSONMarshaler{}).MarshalLogs(logs)
	check(err)
	fmt.Println(string(line))
	return nil
}

func firstBody(logs plog.Logs) string {
	if logs.LogRecordCount() == 0 {
		return ""
	}
	return logs.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0).Body().AsString()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
