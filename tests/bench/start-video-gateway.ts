import type { Target } from './processes';
import type { Stage } from './stage';

/** Starts a gateway with the video provider, on a database of its own, and its upstream; both end with the scenario. */
export async function startVideoGateway(
  stage: Stage,
  args: readonly string[] = [],
): Promise<{ readonly gateway: Target; readonly upstream: Target }> {
  const upstream = await stage.start('videos', 'video-upstream.ts', { core: 1 });
  const env = { ...(await stage.gatewayEnv()), BENCH_VIDEOS_URL: upstream.baseUrl };
  return { gateway: await stage.start('gateway', 'gateway.ts', { args, env, bundled: true }), upstream };
}
