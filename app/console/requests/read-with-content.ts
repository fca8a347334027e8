import type { ErrorCode } from '../../../lib/domain/error-rules';
import { readOrNotFound } from '../components/shell/read-or-not-found';

/** Loads a message or session for its page, with its stored conversation or text, if that is kept. */
export function readWithContent<
  Details extends { readonly id: string; readonly content_expires_at: number | null },
  Content,
>(
  missing: ErrorCode,
  readDetails: () => Promise<Details>,
  readContent: (id: string) => Promise<Content>,
): Promise<readonly [Details, Content | undefined]> {
  return readOrNotFound(missing, async () => {
    const details = await readDetails();
    return [details, details.content_expires_at === null ? undefined : await readContent(details.id)] as const;
  });
}
