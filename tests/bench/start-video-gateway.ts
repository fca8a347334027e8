import type { Harness } from './harness';
import type { BenchServer } from './processes';
import type { Lateness } from './servers/video-upstream';

/**
 * Starts the video upstream, and a gateway with the video provider and its own database. Both stop with the scenario.
 */
export async function startVideoGateway(
  harness: Harness,
  args: readonly string[] = [],
): Promise<{ readonly gateway: BenchServer; readonly upstream: BenchServer }> {
  const { upstream, env } = await startVideoUpstream(harness);
  return { gateway: await harness.startServer('gateway', 'gateway.ts', { args, env, bundled: true }), upstream };
}

/**
 * Starts the video upstream, which stops with the scenario. Resolves with the environment of a gateway that uses it, with
 * a new database of its own.
 */
export async function startVideoUpstream(
  harness: Harness,
  args: readonly string[] = [],
): Promise<{ readonly upstream: BenchServer; readonly env: Readonly<Record<string, string>> }> {
  const upstream = await harness.startServer('videos', 'video-upstream.ts', { args, core: 1 });
  const env = {
    ...(await harness.gatewayEnv()),
    BENCH_VIDEOS_URL: upstream.baseUrl,
    // The files of the upstream are on loopback.
    OUTBOUND_ALLOW: '127.0.0.0/8',
  };
  return { upstream, env };
}

/** The upstream's figures since the last call. */
export async function fetchLateness(upstream: BenchServer): Promise<Lateness> {
  return (await (await fetch(`${upstream.baseUrl}/lateness`)).json()) as Lateness; // Safe: `servers/video-upstream.ts` sends this type.
}
