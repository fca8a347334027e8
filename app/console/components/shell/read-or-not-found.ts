import { notFound } from 'next/navigation';
import type { ErrorCode } from '../../../../lib/domain/error-rules';
import { isGatewayError } from '../../../../lib/domain/errors';
import { readQuietly } from './read-quietly';

/**
 * Loads what a page shows. The error code `missing` leads to the not-found page, for example for an id of another
 * organisation.
 */
export async function readOrNotFound<T extends object>(missing: ErrorCode, read: () => Promise<T>): Promise<T> {
  const found = await readQuietly(async () => {
    try {
      return await read();
    } catch (error) {
      if (isGatewayError(error) && error.code === missing) return undefined;
      throw error;
    }
  });
  return found ?? notFound();
}
