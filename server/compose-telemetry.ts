import cluster from 'node:cluster';
import type { Config } from '../lib/config/config';
import { isDevelopment } from '../lib/domain/development';
import { errorForLog } from '../lib/domain/errors';
import type { Log } from '../lib/domain/log';
import { noTelemetry, type Telemetry } from '../lib/domain/telemetry';
import { createLog } from '../lib/log';
import { readableOutput } from '../lib/readable-log';
import { createPrometheus, type Prometheus } from '../lib/telemetry/prometheus';
import { openTraces, type Traces } from '../lib/telemetry/traces';

/** The log, the metrics and the traces of this process. */
export async function composeTelemetry(
  config: Config,
  {
    version,
    random,
    log: given,
  }: { readonly version: string; readonly random: () => number; readonly log?: Log | undefined },
): Promise<{
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly prometheus: Prometheus | undefined;
  readonly traces: Traces | undefined;
}> {
  const traces = config.traces && (await openTraces({ ...config.traces, version, random, onChange: reportReceiver }));
  const log: Log =
    given ??
    createLog(config.logLevel, isDevelopment() ? readableOutput(process.stdout) : undefined, traces?.traceIdOf);
  // A function declaration, because the log needs the traces, and the traces need the log.
  function reportReceiver(error: Error | undefined): void {
    if (error) log.warn('traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT', { error: errorForLog(error) });
    else log.warn('traces are received again');
  }
  const prometheus =
    config.metricsPort === undefined
      ? undefined
      : createPrometheus({
          version,
          role: config.role,
          ...(config.webConcurrency > 1 && { worker: cluster.worker?.id ?? 1 }),
        });
  const telemetry = {
    metrics: prometheus?.metrics ?? noTelemetry.metrics,
    tracing: traces?.tracing ?? noTelemetry.tracing,
  };
  return { log, telemetry, prometheus, traces };
}
