import type { AnswerChunk, Message, MessageEvent } from '../../domain/messages';

// Presents an answer to the client, with the catalog's model name instead of the provider's. In answers that are
// otherwise passed through unchanged the name is replaced in the provider's bytes. Providers write it before the
// content; an answer with another order is serialized again.

/** Returns the JSON of a buffered answer, with the catalog's model name. */
export function presentBuffered(text: string, message: Message, modelId: string): string {
  if (message.model === modelId) return text;
  const name = memberText(message.model);
  const at = text.indexOf(name);
  if (at === -1 || text.indexOf('"content"') < at) return JSON.stringify({ ...message, model: modelId });
  return text.slice(0, at) + memberText(modelId) + text.slice(at + name.length);
}

/** Returns the events of a chunk in their wire form. */
export function presentChunk({ bytes, events }: AnswerChunk, modelId: string): Buffer {
  const [first] = events;
  if (bytes) return first?.type === 'message_start' ? presentStart(bytes, first.message, modelId) : bytes;
  let text = '';
  for (const event of events) text += eventText(event.type, JSON.stringify(presentEvent(event, modelId)));
  return Buffer.from(text);
}

/** Returns the error event of an answer that failed after it had started; `body` is one line of JSON. */
export function errorEventText(body: string): string {
  return eventText('error', body);
}

function eventText(type: string, data: string): string {
  return `event: ${type}\ndata: ${data}\n\n`;
}

/** Sets the catalog's model name and removes fields that are only for the gateway. */
function presentEvent(event: MessageEvent, modelId: string): MessageEvent {
  if (event.type === 'message_start') return { ...event, message: { ...event.message, model: modelId } };
  if (event.type !== 'message_delta' || !event.usage.estimated) return event;
  const { estimated: _ours, ...usage } = event.usage;
  return { ...event, usage };
}

/** `bytes` holds events; the first one that is not a ping is the `message_start` of `message`. */
function presentStart(bytes: Buffer, message: Message, modelId: string): Buffer {
  if (message.model === modelId) return bytes;
  const renamed = withName(bytes, message.model, modelId);
  if (renamed) return renamed;
  const event = eventText(
    'message_start',
    JSON.stringify({ type: 'message_start', message: { ...message, model: modelId } }),
  );
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
