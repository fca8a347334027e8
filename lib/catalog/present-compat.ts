import type { Model } from '../domain/model';
import { isoInstant } from './present';

// A model as clients of the message-style API expect it. They offer every entry for conversation, so models that cannot
// converse are not in this list.

/** May the message-style endpoint serve it? */
export function conversesInMessages(model: Model): boolean {
  return model.inputModalities.includes('text') && model.outputModalities.includes('text');
}

/** One entry. `capabilities` is a whole object or null in this shape; null says "not stated". */
export function presentCompatModel(model: Model) {
  return {
    type: 'model' as const,
    id: model.id,
    display_name: model.name,
    created_at: isoInstant(model.created),
    max_input_tokens: null,
    max_tokens: null,
    lifecycle: model.deprecatedAt === undefined ? ('active' as const) : ('deprecated' as const),
    deprecated_at: model.deprecatedAt ?? null,
    retires_at: model.deactivatedAt ?? null,
    line: null,
    capabilities: null,
  };
}
