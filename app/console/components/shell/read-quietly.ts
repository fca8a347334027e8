import { errorForLog } from '../../../../lib/domain/errors';
import { newId } from '../../../../lib/domain/ids';
import { gateway } from '../../../../lib/runtime';

/**
 * Loads the data of a page. Next prints the message of every error that a page throws, and database errors quote their
 * query. So we log the error in our own form, and the page throws a generic sentence with the request id.
 */
export async function readQuietly<T>(read: () => Promise<T>): Promise<T> {
  const answer = await read().then(
    (value) => ({ value }),
    (error: unknown) => {
      const requestId = newId('request');
      gateway().log.error('a page could not be read', { requestId, error: errorForLog(error) });
      return { requestId };
    },
  );
  if ('value' in answer) return answer.value;
  // Next passes only `digest` to the error page.
  throw Object.assign(new Error('The data of this page could not be loaded.'), { digest: answer.requestId });
}
