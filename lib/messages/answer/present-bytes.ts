import type { Message } from '../../domain/messages';

// Replaces the provider's model name with the catalog's in answers that are otherwise passed through unchanged.
// Providers write the name before the content; an answer with another order is serialized again.

/** Returns the JSON of a buffered answer, with the catalog's model name. */
export function presentBuffered(text: string, message: Message, modelId: string): string {
  if (message.model === modelId) return text;
  const name = memberText(message.model);
  const at = text.indexOf(name);
  if (at === -1 || text.indexOf('"content"') < at) return JSON.stringify({ ...message, model: modelId });
  return text.slice(0, at) + memberText(modelId) + text.slice(at + name.length);
}

/** `bytes` holds events; the first one that is not a ping is the `message_start` of `message`. */
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
