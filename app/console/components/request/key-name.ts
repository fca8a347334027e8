import type { RequestJson } from '../../../../lib/contract/requests';

/** The name of the key, or `Console` for requests of the console. */
export function keyNameOf({ id, name }: RequestJson['key']): string {
  return name ?? (id === 'console' ? 'Console' : 'Deleted key');
}
