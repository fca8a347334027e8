import { allowedBindings, checkModelAccess } from '../../accounts/access';
import type { Catalog } from '../../catalog/catalog';
import { resolveModelOf } from '../../catalog/resolve';
import type { Caller } from '../../domain/caller';
import type { MessagesBody } from '../../domain/messages';
import type { BindingOf, MessagesModel } from '../../domain/model';
import type { MessagesInput } from '../messages';
import { parseMessagesBody, parseModelName } from './messages-request';

export interface ReadMessage {
  readonly model: MessagesModel;
  /** The bindings that the caller's key may use, in order of preference. */
  readonly bindings: readonly BindingOf<'messages'>[];
  readonly body: MessagesBody;
}

/**
 * Reads a request: returns its model and its validated body. Throws the error for the client.
 */
export function readMessage(
  catalog: Catalog,
  { policy }: Caller,
  { values }: MessagesInput,
  purpose: 'answer' | 'count',
): ReadMessage {
  const { model, bindings } = resolveModelOf(catalog, parseModelName(values), 'messages', policy);
  checkModelAccess(policy, model.id);
  return {
    model,
    bindings: allowedBindings(policy, bindings),
    body: parseMessagesBody(values, { for: purpose }),
  };
}
