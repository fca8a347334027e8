import type { Message } from '../../domain/messages';

// The catalog's name in the place of the provider's own, in answers that pass otherwise as they came. The provider writes its
// name before the content; an answer that does not is written anew.

/** An answer in one piece, under the catalog's name. */
export function presentWhole(text: string, message: Message, modelId: string): string {
  if (message.model === modelId) return text;
  const name = memberText(message.model);
  const at = text.indexOf(name);
  if (at === -1 || text.indexOf('"content"') < at) return JSON.stringify({ ...message, model: modelId });
  return text.slice(0, at) + memberText(modelId) + text.slice(at + name.length);
}

/** Events of which the first one that is no ping is the `message_start` with this message. */
export function presentStart(bytes: Buffer, message: Message, modelId: string): Buffer {
  if (message.model === modelId) return bytes;
  const renamed = withName(bytes, message.model, modelId);
  if (renamed) return renamed;
  const event = `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message: { ...message, model: modelId } })}\n\n`;
  const end = bytes.indexOf('\n\n', bytes.indexOf('message_start'));
  return Buffer.concat([Buffer.from(event), bytes.subarray(end + 2)]);
}

function withName(bytes: Buffer, upstreamName: unknown, modelId: string): Buffer | undefined {
  const name = memberText(upstreamName);
  const at = bytes.indexOf(name);
  const content = bytes.indexOf('"content"');
  if (at === -1 || content < at) return undefined;
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from(memberText(modelId)),
    bytes.subarray(at + Buffer.byteLength(name)),
  ]);
}

function memberText(name: unknown): string {
  return `"model":${JSON.stringify(name)}`;
}
