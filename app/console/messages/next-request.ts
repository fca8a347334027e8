import { isBlank, type Lane, type ShownModel } from './conversation';
import { requestBody, type RequestBody } from './request';
import type { Conversation } from './use-conversation';

/** A request, or why there is none. Both are absent for the second lane without a comparison. */
export interface NextRequest {
  readonly body?: RequestBody;
  readonly problem?: string;
}

/**
 * Returns the request for the prompt that is being written. Without a prompt, returns the last request, to share it or
 * show it as code.
 */
export function nextRequest(
  { settingsOf, prompt, turns }: Pick<Conversation, 'settingsOf' | 'prompt' | 'turns'>,
  shown: ShownModel | undefined,
  lane: Lane,
): NextRequest {
  const own = settingsOf(lane);
  if (!own || !shown) return {};
  const isWriting = !isBlank(prompt);
  const sent = isWriting ? prompt : turns.at(-1)?.prompt;
  if (!sent) return { problem: 'Write a prompt first.' };
  try {
    return { body: requestBody(own, shown.model, lane, isWriting ? turns : turns.slice(0, -1), sent) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'There is no request yet.' };
  }
}
