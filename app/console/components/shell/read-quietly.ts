import { errorForLog } from '../../../../lib/domain/errors';
import { newId } from '../../../../lib/domain/ids';
import { gateway } from '../../../../lib/runtime';

/**
 * Reads what a page shows. Next prints the text of whatever a page throws, and the text of a database's error quotes its
 * query; so the error goes to the log in our form, and the page fails with a sentence that quotes nothing and the id under
 * which the log has it.
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
  // Next shows `digest` to the error page, and nothing else of an error.
  throw Object.assign(new Error('The data of this page could not be loaded.'), { digest: answer.requestId });
}
