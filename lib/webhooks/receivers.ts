import type { ReceiverJson } from '../contract/webhooks';
import { unixSeconds } from '../domain/clock';
import type { EndpointRow, RecentDelivery } from '../db/webhook-endpoints';

// How the receivers of an account have answered, from its newest deliveries: every endpoint, and every origin of the
// URLs in requests.

interface Receiver {
  readonly endpointId?: string;
  readonly url: string;
}

/** `recent` is newest first. */
export function summarizeReceivers(
  endpoints: readonly EndpointRow[],
  recent: readonly RecentDelivery[],
): readonly ReceiverJson[] {
  const requested = recent.filter(({ endpointId }) => endpointId === null);
  const origins = new Set(requested.map(({ url }) => new URL(url).origin));
  return [
    ...endpoints.map(({ id, url }) =>
      summarize(
        { endpointId: id, url },
        recent.filter(({ endpointId }) => endpointId === id),
      ),
    ),
    ...[...origins].map((origin) =>
      summarize(
        { url: origin },
        requested.filter(({ url }) => new URL(url).origin === origin),
      ),
    ),
  ];
}

function summarize({ endpointId, url }: Receiver, deliveries: readonly RecentDelivery[]): ReceiverJson {
  const attempts = deliveries.flatMap(({ attempt }) => attempt ?? []);
  const last = attempts.toSorted((one, other) => other.at.getTime() - one.at.getTime())[0];
  const latencies = attempts.map(({ latencyMs }) => latencyMs).toSorted((one, other) => one - other);
  const median = latencies[Math.floor(latencies.length / 2)];
  const count = (state: RecentDelivery['state']) => deliveries.filter((delivery) => delivery.state === state).length;
  return {
    object: 'webhook_receiver',
    ...(endpointId === undefined ? {} : { endpoint_id: endpointId }),
    url,
    health: last === undefined ? 'unused' : last.error === null ? 'healthy' : 'failing',
    deliveries: {
      delivered: count('delivered'),
      failed: count('failed'),
      disabled: count('disabled'),
      pending: count('pending'),
    },
    ...(median === undefined ? {} : { latency_ms: median }),
    ...(last && {
      last_attempt: {
        at: unixSeconds(last.at),
        ...(last.status === null ? {} : { status: last.status }),
        ...(last.error === null ? {} : { error: last.error }),
      },
    }),
  };
}
