// The events of the messages dialect as the vendor writes them.

export type WireEvent = { readonly type: string; readonly [field: string]: unknown };

export interface FrameOptions {
  /** The vendor pads its lines with spaces inside the JSON. */
  readonly pad?: boolean;
  readonly withoutEventLines?: boolean;
}

export function frame(event: WireEvent, options: FrameOptions = {}): string {
  const json = JSON.stringify(event);
  const padded = options.pad ? `${json.slice(0, -1)}${' '.repeat((json.length * 7) % 21)}}` : json;
  return `${options.withoutEventLines ? '' : `event: ${event.type}\n`}data: ${padded}\n\n`;
}

/** As the vendor writes it, with a space after the colon. */
export const pingFrame = 'event: ping\ndata: {"type": "ping"}\n\n';

export interface StartOptions {
  readonly model?: string;
  readonly id?: string;
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly more?: Readonly<Record<string, unknown>>;
}

export function messageStart({
  model = 'claude-sonnet-5-5',
  id = 'msg_011CdJQWZEDL9DigznyuKLcx',
  usage,
  more,
}: StartOptions = {}): WireEvent {
  return {
    type: 'message_start',
    message: {
      model,
      id,
      type: 'message',
      role: 'assistant',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usage ?? {
        input_tokens: 12,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 1,
        service_tier: 'standard',
        inference_geo: 'global',
      },
      ...more,
    },
  };
}

export const blockStart = (index: number, block: Readonly<Record<string, unknown>>): WireEvent => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
export const blockDelta = (index: number, delta: Readonly<Record<string, unknown>>): WireEvent => ({
  type: 'content_block_delta',
  index,
  delta,
});
export const blockStop = (index: number): WireEvent => ({ type: 'content_block_stop', index });

export function messageDelta(
  stopReason: string,
  more: {
    readonly stopSequence?: string;
    readonly stopDetails?: unknown;
    readonly usage?: Readonly<Record<string, unknown>>;
  } = {},
): WireEvent {
  return {
    type: 'message_delta',
    delta: {
      stop_reason: stopReason,
      stop_sequence: more.stopSequence ?? null,
      ...(more.stopDetails !== undefined && { stop_details: more.stopDetails }),
    },
    usage: more.usage ?? {
      input_tokens: 12,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 30,
    },
  };
}

export const messageStop: WireEvent = { type: 'message_stop' };

export function textBlock(index: number, pieces: readonly string[]): WireEvent[] {
  return [
    blockStart(index, { type: 'text', text: '' }),
    ...pieces.map((text) => blockDelta(index, { type: 'text_delta', text })),
    blockStop(index),
  ];
}

export function toolBlock(
  index: number,
  id: string,
  name: string,
  fragments: readonly string[],
  type = 'tool_use',
): WireEvent[] {
  return [
    blockStart(index, { type, id, name, input: {}, ...(type === 'tool_use' && { caller: { type: 'direct' } }) }),
    ...['', ...fragments].map((partial_json) => blockDelta(index, { type: 'input_json_delta', partial_json })),
    blockStop(index),
  ];
}

export function thinkingBlock(index: number, pieces: readonly string[], signature: string): WireEvent[] {
  return [
    blockStart(index, { type: 'thinking', thinking: '', signature: '' }),
    ...pieces.map((thinking) => blockDelta(index, { type: 'thinking_delta', thinking })),
    blockDelta(index, { type: 'signature_delta', signature }),
    blockStop(index),
  ];
}

export function vendorError(type: string, message: string, details?: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    type: 'error',
    error: { type, message, ...(details && { details }) },
    request_id: 'req_011CdJQWZEDL9DigznyuKLcx',
  });
}
