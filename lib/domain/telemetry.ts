import { noMetrics, type Metrics } from './metrics';
import { noTracing, type Tracing } from './tracing';

/** Where the parts of the product report what they do. `lib/telemetry` publishes it. */
export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** Publishes nothing. */
export const noTelemetry: Telemetry = { metrics: noMetrics, tracing: noTracing };
