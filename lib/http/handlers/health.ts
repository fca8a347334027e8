import type { HelloJson, LivenessJson, ReadinessJson } from '../../contract/health';
import { GatewayError } from '../../domain/errors';
import type { Gateway } from '../../gateway';
import type { HealthCheck } from '../../health/check-health';
import { prefersHtml } from '../accept';
import { jsonResponse, type PublicContext, type GatewayResponse } from '../handler';

/** `GET /`: the health of the service, or a redirect for a person who opens the URL in a browser. */
export async function readHealth({ gateway, request }: PublicContext): Promise<GatewayResponse> {
  if (request.method === 'HEAD') return hello();
  const skip = request.query.get('skip');
  if (skip === null && prefersHtml(request.headers['accept']))
    return { status: 302, headers: { location: '/console', vary: 'Accept' } };
  const health = await gateway.health.check(parseSkip(skip ?? ''));
  return jsonResponse(health.health.status === 'ok' ? 200 : 503, health, { vary: 'Accept' });
}

function parseSkip(text: string): ReadonlySet<HealthCheck> {
  const words = text.split(',').map((word) => word.trim());
  return new Set((['redis', 'database'] as const).filter((check) => words.includes(check)));
}

/** `GET /api/hello`: clients use it to check whether the server is reachable; it calls no backend. */
export function hello(): GatewayResponse {
  return jsonResponse(200, { message: 'OK' } satisfies HelloJson);
}

/** `GET /livez`: the process runs and its event loop is not blocked. */
export function readLiveness(): GatewayResponse {
  return jsonResponse(200, { status: 'alive' } satisfies LivenessJson);
}

/** `GET /readyz`: may a load balancer send requests here? */
export async function readReadiness({ gateway }: PublicContext): Promise<GatewayResponse> {
  const status = await readStatus(gateway);
  return jsonResponse(status === 'ready' ? 200 : 503, { status } satisfies ReadinessJson);
}

async function readStatus(gateway: Gateway): Promise<ReadinessJson['status']> {
  const phase = gateway.phase();
  if (phase === 'closing') return 'draining';
  if (phase !== 'ready') return phase;
  // Not Redis: every endpoint works without it.
  const { health } = await gateway.health.check(new Set(['redis']));
  return health.database.connected ? 'ready' : 'database_unavailable';
}

/** Refuses a request to a WebSocket endpoint that has no upgrade. */
export function requireUpgrade(): GatewayResponse {
  throw new GatewayError('upgrade_required', 'This path speaks WebSocket. Open it with wss:// (or ws://) and a key.');
}
