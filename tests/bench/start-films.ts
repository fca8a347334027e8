import type { Target } from './processes';
import type { Stage } from './stage';

/** A gateway that can make films, on a database of its own, and where they come from; both end with the scenario. */
export async function startRenders(
  stage: Stage,
  args: readonly string[] = [],
): Promise<{ readonly gateway: Target; readonly upstream: Target }> {
  const upstream = await stage.start('films', 'film-upstream.ts', { core: 1 });
  const env = { ...(await stage.gatewayEnv()), BENCH_FILMS_URL: upstream.baseUrl };
  return { gateway: await stage.start('gateway', 'gateway.ts', { args, env, bundled: true }), upstream };
}
