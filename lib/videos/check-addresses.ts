import { GatewayError } from '../domain/errors';
import type { Account } from '../domain/caller';
import { isDataUrl, judgeDataUrl } from '../net/data-url';
import type { Outbound } from '../net/safe-fetch';
import type { Links } from './links';
import type { AskedMedia } from './video-media';

// A submission's addresses, judged while the caller can still be told: form and IP literals at once, names for a moment. A
// name that does not resolve in that time is accepted, and judged when it is connected to, as every address is again.

const RESOLVE_MS = 300;

export type CheckAddresses = (account: Account, request: { readonly media: readonly AskedMedia[]; readonly webhook?: string }) => Promise<void>;

export function createCheckAddresses(deps: {
  outbound: Outbound;
  links: Links;
  /** Does this signed link lead to a finished video of this account? */
  mayUse: (account: Account, link: { videoId: string; expires: number }) => Promise<boolean>;
}): CheckAddresses {
  const { outbound, links, mayUse } = deps;

  return async function checkAddresses(account, request) {
    const names: Promise<void>[] = [];
    for (const { role, url, param } of request.media) {
      const kind = role === 'source_video' || role === 'reference_video' ? 'video' : 'image';
      if (isDataUrl(url)) {
        judgeDataUrl(url, kind, param);
        continue;
      }
      const own = links.recognise(url);
      if (own) {
        if (kind === 'video' && (await mayUse(account, own))) continue;
        throw new GatewayError('url_not_allowed', `${param} is a link of this installation that cannot be used here. Use the video_url of a completed video of your own, in the same mode.`, { param });
      }
      const use = { purpose: 'media', param } as const;
      names.push(outbound.judgeName(outbound.judgeUrl(url, use), { ...use, withinMs: RESOLVE_MS }));
    }
    if (request.webhook !== undefined) {
      const use = { purpose: 'webhook', param: 'webhook' } as const;
      names.push(outbound.judgeName(outbound.judgeUrl(request.webhook, use), { ...use, withinMs: RESOLVE_MS }));
    }
    await Promise.all(names);
  };
}
