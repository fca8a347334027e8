import { noMetrics, type Metrics } from './metrics';

/** Where the parts of the product report what they do. `lib/telemetry` publishes it. */
export interface Telemetry {
  readonly metrics: Metrics;
}

/** Publishes nothing. */
export const noTelemetry: Telemetry = { metrics: noMetrics };
