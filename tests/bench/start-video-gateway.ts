import type { Harness } from './harness';
import type { BenchServer } from './processes';

/**
 * Starts the video upstream, and a gateway with the video provider and its own database. Both stop with the scenario.
 */
export async function startVideoGateway(
  harness: Harness,
  args: readonly string[] = [],
): Promise<{ readonly gateway: BenchServer; readonly upstream: BenchServer }> {
  const upstream = await harness.startServer('videos', 'video-upstream.ts', { core: 1 });
  const env = {
    ...(await harness.gatewayEnv()),
    BENCH_VIDEOS_URL: upstream.baseUrl,
    // The files of the upstream are on loopback.
    OUTBOUND_ALLOW: '127.0.0.0/8',
  };
  return { gateway: await harness.startServer('gateway', 'gateway.ts', { args, env, bundled: true }), upstream };
}
