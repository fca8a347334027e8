import { allowedBindings, checkModelAccess } from '../../accounts/access';
import type { Catalog } from '../../catalog/catalog';
import { resolveModelOf } from '../../catalog/resolve';
import type { Caller } from '../../domain/caller';
import type { Fields } from '../../domain/json';
import type { MessagesBody, MessagesBinding } from '../../domain/messages';
import type { BindingOf, MessagesModel } from '../../domain/model';
import { GatewayError } from '../../domain/errors';
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
  { values }: { readonly values: Fields },
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

// Clients send the same body to every model, for example sampling parameters to models without sampling, or a
// `max_tokens` above the model's limit. Fields that can be dropped or lowered are, and the response lists the ignored
// ones.

export interface LimitedBody {
  readonly body: MessagesBody;
  /** Names of the fields that were dropped or lowered. */
  readonly changed: readonly string[];
  /** For `X-Ignored-Params`. */
  readonly ignoredParams: readonly string[];
}

const SAMPLING = ['temperature', 'top_p', 'top_k'] as const;
/** From this version on the vendor rejects sampling parameters itself, with a better message than ours. */
const WITHOUT_SAMPLING = '2026-10-21';

/** Returns the body with the binding's limits applied; the same object if nothing changed. */
export function applyModelLimits(
  body: MessagesBody,
  model: MessagesModel,
  binding: MessagesBinding,
  version: string,
): LimitedBody {
  const { messages: facts } = model;
  const hasImages =
    facts.imageMaxEdgePixels === undefined &&
    body.messages.some(({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'));
  if (hasImages)
    throw new GatewayError(
      'unsupported_value',
      `${model.id} does not take images. Send text, or name a model whose input_modalities contain "image".`,
      { param: 'messages' },
    );
  const ignoredParams: string[] = [];
  const changed: Record<string, unknown> = {};
  if (!facts.sampling && version < WITHOUT_SAMPLING) {
    for (const name of SAMPLING) {
      if (body[name] === undefined) continue;
      changed[name] = undefined;
      ignoredParams.push(name);
    }
  }
  const most = binding.maxOutputTokens ?? facts.maxOutputTokens;
  if (body.max_tokens !== undefined && body.max_tokens > most) changed['max_tokens'] = most;
  const names = Object.keys(changed);
  if (names.length === 0) return { body, changed: names, ignoredParams };
  // Safe: the fields are those of the type, each absent or lower than before.
  return { body: withoutAbsent({ ...body, ...changed }) as MessagesBody, changed: names, ignoredParams };
}

function withoutAbsent(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
