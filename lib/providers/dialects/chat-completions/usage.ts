import { fieldsOf, type Fields } from '../../../domain/json';
import type { MessagesUsageUpdate } from '../../../domain/messages';
import { tokenCount } from '../../../domain/token-count';

// Chat completions include cached input in `prompt_tokens`; the messages API counts it separately. The billed sum is
// the same.

/** Converts the usage of a chat completion. `estimated` replaces counts that the upstream did not report. */
export function chatUsage(
  usage: unknown,
  estimated: { readonly inputTokens: number; readonly outputTokens: number },
): MessagesUsageUpdate {
  const fields = fieldsOf(usage);
  const details = fieldsOf(fields.prompt_tokens_details);
  const prompt = tokenCount(fields.prompt_tokens);
  if (prompt === undefined || prompt === 0) {
    return {
      input_tokens: estimated.inputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      ...outputOf(fields, 0, estimated.outputTokens),
      estimated: true,
    };
  }
  const read = Math.min(
    prompt,
    tokenCount(details.cached_tokens) ??
      tokenCount(fields.prompt_cache_hit_tokens) ??
      tokenCount(fields.cached_tokens) ??
      0,
  );
  const written = Math.min(prompt - read, tokenCount(details.cache_write_tokens) ?? 0);
  return {
    input_tokens: prompt - read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    ...outputOf(fields, prompt, estimated.outputTokens),
  };
}

function outputOf(
  fields: Fields,
  prompt: number,
  estimated: number,
): Pick<MessagesUsageUpdate, 'output_tokens' | 'output_tokens_details' | 'estimated'> {
  const completion = tokenCount(fields.completion_tokens) ?? 0;
  const thinking = tokenCount(fieldsOf(fields.completion_tokens_details).reasoning_tokens);
  // Some upstreams omit the thinking from `completion_tokens` and include it only in the total.
  const beyond = prompt > 0 ? Math.max(0, (tokenCount(fields.total_tokens) ?? 0) - prompt - completion) : 0;
  const output = tokenCount(completion + beyond) ?? 0;
  return {
    output_tokens: output > 0 ? output : estimated,
    ...(thinking !== undefined && { output_tokens_details: { thinking_tokens: thinking } }),
    ...(output === 0 && estimated > 0 && { estimated: true as const }),
  };
}
