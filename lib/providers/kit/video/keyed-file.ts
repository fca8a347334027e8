import type { Call } from '../../../domain/call';
import type { Clock } from '../../../domain/clock';
import { isGatewayError, upstreamFailed } from '../../../domain/errors';
import type { Content, ContentPart, RemoteFiles } from '../../../domain/files';
import { FIRST_BYTE, headOf, openFile, rangeHeader } from '../../../io/file-response';
import type { Upstream } from '../http/http';
import { readableOf } from '../http/http';

const HEADERS_TIMEOUT_MS = 30_000;

interface KeyedFile {
  /** The path below the base URL; see `Upstream.pathOf`. */
  readonly path: string;
  /** The credentials, as headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Opens a file that the upstream serves only with our key. If it redirects, the target is opened without the key,
 * because it may be on any host. Rejects as `RemoteFiles.open` does.
 */
export async function openKeyedFile(
  upstream: Pick<Upstream, 'send'>,
  { path, headers }: KeyedFile,
  part: ContentPart,
  { files, clock }: { readonly files: RemoteFiles; readonly clock: Clock },
  call: Call,
): Promise<Content> {
  let target: string | undefined;

  async function request(method: 'GET' | 'HEAD', wanted: ContentPart) {
    const answer = await upstream.send({
      method,
      path,
      headers: { ...headers, ...rangeHeader(wanted) },
      headersMs: HEADERS_TIMEOUT_MS,
      signal: call.signal,
    });
    if (answer.status >= 300 && answer.status < 400) target = answer.headers['location'];
    return { status: answer.status, headers: answer.headers, body: readableOf(answer.body) };
  }

  const openPart = (wanted: ContentPart) => openFile(request, wanted, { clock, signal: call.signal });

  try {
    // Without HEAD: an API may answer it with 404 for a path that it defines for GET, as if the file had been deleted.
    return part === 'head' ? headOf(await openPart(FIRST_BYTE)) : await openPart(part);
  } catch (error) {
    call.signal.throwIfAborted();
    // A redirect is not a file, so `openFile` has refused it and closed its body.
    if (target !== undefined) return files.open(target, part, call);
    throw unreadable(error);
  }
}

/**
 * Turns the upstream's error of a request for a file into that of an unavailable file; returns other errors unchanged.
 */
export function unreadable(error: unknown): unknown {
  if (!isGatewayError(error) || error.code === 'video_expired') return error;
  const detail = error.extra.detail ?? `The request for the file failed with ${error.code}.`;
  return upstreamFailed({ retry: 'later', started: 'maybe' }, detail, 'upstream_content_unavailable');
}
