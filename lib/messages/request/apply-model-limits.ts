import { GatewayError } from '../../domain/errors';
import type { MessagesBinding, MessagesBody } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';

// Clients send the same body to every model: sampling to models that take none, more output than a model can write. What can
// be met by leaving it out, or by a smaller number, is met so, and the answer says what was not looked at.

export interface LimitedBody {
  readonly body: MessagesBody;
  /** The members that were left out or made smaller. */
  readonly changed: readonly string[];
  /** For `X-Ignored-Params`. */
  readonly ignoredParams: readonly string[];
}

const SAMPLING = ['temperature', 'top_p', 'top_k'] as const;
/** From this version on the vendor refuses sampling itself, and says so better than we could. */
const WITHOUT_SAMPLING = '2026-10-21';

/** The body as this binding takes it; the same object when nothing had to change. */
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
      `${model.id} does not take pictures. Send text, or name a model whose input_modalities contain "image".`,
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
  // Safe: the fields are those of the type, each absent or smaller than it was.
  return { body: withoutAbsent({ ...body, ...changed }) as MessagesBody, changed: names, ignoredParams };
}

function withoutAbsent(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
