import { messageLines, type TokenCounts } from '../billing/message-cost';
import { costOfCharacters, costOfMillis, minutePrice } from '../billing/quote-audio';
import { presentBill, presentQuote, quoteVideo } from '../billing/quote';
import type { MediaReach } from '../catalog/binding-fit';
import type { CurrentCatalog } from '../catalog/catalog';
import { resolveModelName } from '../catalog/resolve';
import { GatewayError } from '../domain/errors';
import type { Binding, BindingOf, ModelOf } from '../domain/model';
import type { QuoteField } from '../contract/quote-request';
import type { QuoteJson, RequestQuote } from '../contract/quotes';
import type { BillLine } from '../domain/money';
import { allOf } from '../domain/phrases';
import { countCharacters } from '../domain/speech';
import type { Messages } from '../messages/messages';
import type { ServedBy } from '../routing/provider-directory';
import type { Router, Routers } from '../routing/router';
import { RequestFields } from '../videos/request-fields';
import { ignoredBy, orderFor, parseModelName, parseVideoRequest, needsOf } from '../videos/video-request';

// The price of a request before it is sent, computed by the functions that charge for it.

const MAX_TOKENS = 100_000_000;
const MAX_SECONDS = 86_400;

/**
 * `request.model` with, for a video model, the body of `POST /v1/videos` (the prompt is optional); for a text model the
 * body of `POST /v1/messages`, or instead of it `input_tokens`, `cache_read_tokens`, `cache_write_tokens` and
 * `output_tokens`; for speech to text `audio_seconds` and `language`; for text to speech `input` or `characters`.
 * Rejects as the request itself would.
 */
export function createQuoteRequest({
  catalog,
  routers,
  mediaReach,
  messages,
}: {
  readonly catalog: CurrentCatalog;
  readonly routers: Routers;
  readonly mediaReach: MediaReach;
  readonly messages: Pick<Messages, 'estimate'>;
}) {
  return function quoteRequest(by: ServedBy, request: Readonly<Record<string, unknown>>): RequestQuote {
    const { model } = resolveModelName(catalog(), parseModelName(request));
    const fields = new RequestFields<QuoteField>(request, false);
    const quoteAt = (binding: Binding, quote: QuoteJson): RequestQuote => ({
      object: 'quote',
      model: model.id,
      provider: binding.providerId,
      ...quote,
    });
    switch (model.capability) {
      case 'video':
        return quoteOfVideo(routers.video, by, model, request, mediaReach);
      case 'messages': {
        if (namesTokens(fields)) {
          const [{ binding }] = routers.messages.routes(model, model.bindings, by, { messages: [] });
          return quoteAt(binding, quoteOfTokens(fields, binding));
        }
        const { body, tokensAt } = messages.estimate(model, request);
        const [route] = routers.messages.routes(model, model.bindings, by, body);
        return quoteAt(route.binding, quoteOfMessage(tokensAt(route), route.binding));
      }
      case 'stt': {
        const [{ binding }] = routers.stt.routes(model, model.bindings, by);
        return quoteAt(binding, quoteOfTranscription(fields, binding));
      }
      case 'tts': {
        const [{ binding }] = routers.tts.routes(model, model.bindings, by);
        return quoteAt(binding, quoteOfSpeech(fields, binding));
      }
    }
  };
}

function quoteOfVideo(
  router: Router<'video'>,
  by: ServedBy,
  model: ModelOf<'video'>,
  request: Readonly<Record<string, unknown>>,
  mediaReach: MediaReach,
): RequestQuote {
  // A price does not depend on the prompt, and the form shows it before one is written.
  const parsed = parseVideoRequest({ ...request, prompt: request.prompt || '-' }, false, model, model.bindings);
  const [{ binding }] = router.routes(model, model.bindings, by, needsOf(parsed, model, by.mode, mediaReach));
  const quote = quoteVideo(orderFor(parsed.order, model, binding), binding.price);
  const ignored = ignoredBy(parsed, model, binding);
  return {
    object: 'quote',
    model: model.id,
    provider: binding.providerId,
    ...(ignored.length > 0 && { ignored_params: ignored }),
    ...presentQuote(quote),
  };
}

const TOKEN_FIELDS = ['input_tokens', 'cache_read_tokens', 'cache_write_tokens', 'output_tokens'] as const;

/** Returns whether a message is described by numbers of tokens. Throws if the request also has messages. */
function namesTokens(fields: RequestFields<QuoteField>): boolean {
  const named = TOKEN_FIELDS.find((name) => fields.has(name));
  if (named === undefined) return false;
  if (!fields.has('messages')) return true;
  throw new GatewayError(
    'conflicting_parameters',
    `Send messages, whose tokens are estimated, or ${allOf(TOKEN_FIELDS)}; got messages and ${named}.`,
    { param: named },
  );
}

function quoteOfTokens(fields: RequestFields<QuoteField>, binding: BindingOf<'messages'>): QuoteJson {
  const tokens = (name: QuoteField) => fields.integer(name, 0, MAX_TOKENS);
  const counts: TokenCounts = {
    input: tokens('input_tokens') ?? 0,
    cacheRead: tokens('cache_read_tokens') ?? 0,
    cacheWrite5m: tokens('cache_write_tokens') ?? 0,
    cacheWrite1h: 0,
    output: tokens('output_tokens') ?? tokens('max_tokens') ?? 0,
    webSearches: 0,
  };
  return presentBill(messageLines(counts, binding.price));
}

/** `most` is the maximum of tokens that the message can use. */
function quoteOfMessage(most: TokenCounts, { price }: BindingOf<'messages'>): QuoteJson {
  const noted = (note: string) => (line: BillLine) => ({ ...line, label: `${line.label}, ${note}` });
  const input = messageLines({ ...most, output: 0 }, price);
  // Taken from the bill of both, because the size of the input selects the price of the output.
  const output = messageLines(most, price).slice(input.length);
  return presentBill([
    ...input.map(noted('estimated with a margin of 10 %')),
    ...output.map(noted('the most that max_tokens allows')),
  ]);
}

function quoteOfTranscription(fields: RequestFields<QuoteField>, binding: BindingOf<'stt'>): QuoteJson {
  const seconds = fields.integer('audio_seconds', 0, MAX_SECONDS) ?? 60;
  const price = minutePrice(binding.price, fields.has('language'));
  // Audio is charged by the millisecond; the quote shows minutes, rounded to the precision of a line.
  return presentBill(
    [{ label: 'minutes of sound', price, quantityMilli: BigInt(Math.round((seconds * 1000) / 60)) }],
    costOfMillis(price, seconds * 1000),
  );
}

function quoteOfSpeech(fields: RequestFields<QuoteField>, binding: BindingOf<'tts'>): QuoteJson {
  const input = fields.text('input', 1_000_000);
  const characters =
    input === undefined || input.trim() === '' ? fields.integer('characters', 0, 1_000_000) : countCharacters(input);
  if (characters === undefined)
    throw new GatewayError(
      'missing_required_parameter',
      'input is missing: the text to speak. To quote without it, send characters, its length.',
      { param: 'input' },
    );
  const { perCharacter } = binding.price;
  return presentBill(
    [{ label: 'characters', price: perCharacter, quantityMilli: BigInt(characters) * 1000n }],
    costOfCharacters(perCharacter, characters),
  );
}
