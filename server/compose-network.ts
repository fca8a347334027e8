import type { Config } from '../lib/config/config';
import type { Clock } from '../lib/domain/clock';
import type { Log } from '../lib/domain/log';
import { createVideoProbe } from '../lib/io/video-probe';
import type { LookupName } from '../lib/net/lookup-name';
import { parseCidrs } from '../lib/net/public-address';
import { createRemoteFiles } from '../lib/net/remote-files';
import { createOutbound } from '../lib/net/safe-fetch';
import type { StartWorker } from '../lib/workers';

/** Composes the connections to servers that a caller or a provider names, and the reader of video files there. */
export function composeNetwork(
  config: Config,
  deps: {
    readonly baseUrl: string;
    readonly version: string;
    readonly clock: Clock;
    readonly log: Log;
    readonly lookup: LookupName | undefined;
    readonly startWorker: StartWorker;
  },
) {
  const { baseUrl, version, clock, log, lookup } = deps;
  const connections = {
    allow: parseCidrs(config.outboundAllow),
    ownHosts: [new URL(baseUrl).hostname],
    userAgent: `Patchbay/${version}`,
    log,
    clock,
    ...(lookup && { lookup }),
  };
  const { probe, close: closeProbe } = createVideoProbe(deps);
  return { outbound: createOutbound(connections), files: createRemoteFiles(connections), probe, closeProbe };
}
