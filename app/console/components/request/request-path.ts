import type { RequestKind } from '../../../../lib/contract/requests';
import type { Mode } from '../../../../lib/domain/video';
import { paths } from '../../paths';

/** Returns the URL of the page of a request of any kind. */
export function requestPath({ kind, id }: { readonly kind: RequestKind; readonly id: string }, mode?: Mode): string {
  if (kind === 'video') return paths.video(id, mode);
  return kind === 'message' ? paths.message(id, mode) : paths.session(id, mode);
}
