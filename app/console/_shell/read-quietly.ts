import { errorForLog } from '../../../lib/domain/errors';
import { gateway } from '../../../lib/runtime';

/**
 * Reads what a page shows. Next prints the text of whatever a page throws, and the text of a database's error quotes its
 * query; so the error goes to the log in our form, and the page fails with a sentence that quotes nothing.
 */
export async function readQuietly<T>(read: () => Promise<T>): Promise<T> {
  const answer = await read().then(
    (value) => ({ value }),
    (error: unknown) => {
      gateway().log.error('a page could not be read', { error: errorForLog(error) });
      return undefined;
    },
  );
  if (!answer) throw new Error('What this page shows could not be read.');
  return answer.value;
}
