import type { Account } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import { mediaKind } from '../domain/video';
import type { OrderMedia } from '../domain/video';
import { isDataUrl, checkDataUrl } from '../net/data-url';
import type { UrlUse } from '../net/outbound-error';
import type { Outbound } from '../net/safe-fetch';
import type { Links } from './links';
import type { AskedMedia } from './video-media';
import type { ParameterValues } from './video-parameters';

// Checks the URLs of a submission before it is accepted, while the caller still gets the error: syntax and IP
// literals immediately, host names within a short time limit. A name that does not resolve in that time is accepted.
// Every URL is checked again when it is used.

const RESOLVE_MS = 300;

export interface CheckedUrls {
  /** URLs are in canonical form, so that a provider cannot parse one differently from our check. */
  readonly media: readonly OrderMedia[];
  readonly webhook?: string;
  /** The parameters as sent, except that the URL of a voice is in canonical form. */
  readonly parameters?: ParameterValues;
}

export interface AskedUrls {
  readonly media: readonly AskedMedia[];
  readonly webhook?: string;
  /** `reference_voice` is the only one that may be a URL; it may also be a name. */
  readonly parameters?: ParameterValues;
}

export type CheckUrls = (account: Account, request: AskedUrls) => Promise<CheckedUrls>;

/** Values that a provider would read as a URL and not as the name of a voice. */
const VOICE_URL = /^\s*(?:https?:|[a-z][a-z0-9+.-]*:\/\/)/i;

export function createCheckUrls(deps: {
  outbound: Outbound;
  links: Links;
  /** Returns whether this signed link points to a finished video of this account. */
  mayUse: (account: Account, link: { videoId: string; expires: number }) => Promise<boolean>;
}): CheckUrls {
  const { outbound, links, mayUse } = deps;

  return async function checkUrls(account, request) {
    // Names are looked up last and together: a lookup that runs while other code throws would be an unhandled
    // rejection.
    const names: { url: URL; use: UrlUse }[] = [];
    const checkUrl = (text: string, use: UrlUse) => {
      const url = outbound.checkUrl(text, use);
      names.push({ url, use });
      return url.href;
    };
    const media: OrderMedia[] = [];
    for (const piece of request.media)
      media.push({ role: piece.role, url: await checkMedia(account, piece, checkUrl) });
    const webhook =
      request.webhook === undefined ? undefined : checkUrl(request.webhook, { purpose: 'webhook', param: 'webhook' });
    const parameters = request.parameters && checkVoice(request.parameters, checkUrl);
    await Promise.all(names.map(({ url, use }) => outbound.checkName(url, { ...use, withinMs: RESOLVE_MS })));
    return {
      media,
      ...(parameters === undefined ? {} : { parameters }),
      ...(webhook === undefined ? {} : { webhook }),
    };
  };

  function checkVoice(parameters: ParameterValues, checkUrl: (text: string, use: UrlUse) => string): ParameterValues {
    const { reference_voice: voice } = parameters;
    if (typeof voice !== 'string' || !VOICE_URL.test(voice)) return parameters;
    return { ...parameters, reference_voice: checkUrl(voice, { purpose: 'media', param: 'reference_voice' }) };
  }

  async function checkMedia(
    account: Account,
    { role, url, param }: AskedMedia,
    checkUrl: (text: string, use: UrlUse) => string,
  ): Promise<string> {
    const kind = mediaKind(role);
    if (isDataUrl(url)) {
      checkDataUrl(url, kind, param);
      return url;
    }
    const own = links.recognise(url);
    if (!own) return checkUrl(url, { purpose: 'media', param });
    if (kind === 'image')
      throw new GatewayError(
        'url_not_allowed',
        `${param} must be an image, and this is the link of a video. Use the https URL or a data URL of an image, such as a frame of the video.`,
        { param },
      );
    if (await mayUse(account, own)) return url;
    throw new GatewayError(
      'url_not_allowed',
      `${param} is a link of this installation, but not to a completed video of yours. Use the video_url of a completed video of your own, in the same mode.`,
      { param },
    );
  }
}
