import { GatewayError } from '../domain/errors';
import { priceText, totalOf, usdText } from '../domain/money';
import type { BillLine, NanoUsd } from '../domain/money';
import type { QuoteJson } from '../contract/quotes';
import { maxInputSeconds } from '../domain/video';
import type { VideoBinding, VideoOrder, VideoPrice, VideoPriceExtra, VideoRate } from '../domain/video';
import { findRate, type RatedOrder } from '../domain/video-tiers';

// The cost of a video depends only on the order and the binding's price. The gateway fixes it at submission, and the
// console shows it while the form is filled in. Both use this code, so it must not need Node.

/** The fields of an order that decide its price. */
export type PricedOrder = RatedOrder & Pick<VideoOrder, 'inputMillis' | 'outputFollowsSource'>;

export interface Quote {
  readonly lines: readonly BillLine[];
  /** Rounded up once, at the end. */
  readonly total: NanoUsd;
}

/**
 * Quotes an order. Throws a RangeError if the price has no rate for it, which is an error of the catalog and not of the
 * caller. Throws `missing_required_parameter` (input_seconds) if the input is billed but its length is not known.
 */
export function quoteVideo(order: PricedOrder, price: VideoPrice): Quote {
  const rate = findRate(order, price);
  if (!rate) {
    throw new RangeError(
      `The price has no rate for ${order.seconds} s at ${order.resolution} ${order.audio ? 'with' : 'without'} audio.`,
    );
  }
  const lines = [...linesOf(order, rate, rate.per ?? price.per), ...(price.extras ?? []).flatMap(extraLine(order))];
  return { lines, total: totalOf(lines) };
}

/**
 * Whether seconds of the input are billed at any of the bindings, for orders with or without reference videos. Forms
 * use it to request `input_seconds` only if it matters.
 */
export function billsInput(bindings: readonly Pick<VideoBinding, 'price'>[], withVideoInput: boolean): boolean {
  return bindings.some(({ price }) =>
    price.rates.some(
      (rate) =>
        (rate.withVideoInput === undefined || rate.withVideoInput === withVideoInput) &&
        (rate.per ?? price.per) === 'input_plus_output_second',
    ),
  );
}

/** Presents a quote as the console shows it and as it is stored on a bill. */
export function presentQuote(quote: Quote): QuoteJson {
  return presentBill(quote.lines, quote.total);
}

/** Presents the lines of any bill: of a video, of tokens or of audio. */
export function presentLines(lines: readonly BillLine[]): QuoteJson['lines'] {
  return lines.map((line) => ({
    label: line.label,
    unit_price: priceText(line.price),
    quantity: thousandths(line.quantityMilli),
    amount: usdText(totalOf([line])),
  }));
}

/** Presents a bill. `total` is the exact amount if the quantity of the only line is rounded. */
export function presentBill(lines: readonly BillLine[], total: NanoUsd = totalOf(lines)): QuoteJson {
  const shown = presentLines(lines);
  const [only] = shown;
  const amount = usdText(total);
  return { currency: 'USD', lines: shown.length === 1 && only ? [{ ...only, amount }] : shown, total: amount };
}

function linesOf(order: PricedOrder, rate: VideoRate, per: VideoPrice['per']): BillLine[] {
  const quality = qualityWords(order, rate);
  if (per === 'clip') {
    return [{ label: `clip of ${order.seconds} s ${quality}`, price: rate.usd, quantityMilli: 1000n }];
  }
  const outputMilli = outputMillis(order);
  const output = {
    label: `${thousandths(outputMilli)} s of output ${quality}`,
    price: rate.usd,
    quantityMilli: outputMilli,
  };
  if (per === 'output_second' || !hasInput(order)) return [output];
  const { input, note } = billedInput(order, rate, outputMilli);
  const label = `${thousandths(input)} s of input ${quality}${note}`;
  return [{ label, price: rate.usd, quantityMilli: input }, output];
}

/** Whether the order has a video whose seconds can be billed. References may also be images only. */
function hasInput({ inputMillis, media }: PricedOrder): boolean {
  return inputMillis !== undefined || media.some(({ role }) => role === 'source_video' || role === 'reference_video');
}

/**
 * Returns the duration of the output in milliseconds. If the output follows the source, that is the duration of the
 * source, at most the ordered seconds.
 */
function outputMillis({ seconds, inputMillis, outputFollowsSource }: PricedOrder): bigint {
  const ordered = BigInt(seconds) * 1000n;
  if (!outputFollowsSource || inputMillis === undefined) return ordered;
  return BigInt(inputMillis) < ordered ? BigInt(inputMillis) : ordered;
}

/** Returns the line for the images beyond the free ones; none if there are no such images. */
const extraLine =
  ({ media }: PricedOrder) =>
  ({ free, usd }: VideoPriceExtra): BillLine[] => {
    const images = media.filter(({ role }) => role !== 'reference_video' && role !== 'source_video').length;
    const billed = images - free;
    if (billed <= 0) return [];
    const beyond = free === 0 ? '' : ` beyond the first ${free}`;
    return [
      {
        label: `${billed} ${billed === 1 ? 'image' : 'images'}${beyond}`,
        price: usd,
        quantityMilli: BigInt(billed) * 1000n,
      },
    ];
  };

/** Returns the milliseconds of the input that are billed, and a reason if they are not those of the order. */
function billedInput(order: PricedOrder, rate: VideoRate, outputMilli: bigint): { input: bigint; note: string } {
  const { inputMillis } = order;
  const given = inputMillis === undefined ? unstatedMillis(order, rate) : BigInt(inputMillis);
  const least = rate.inputAtLeastOutput && given < outputMilli ? outputMilli : given;
  const most = rate.inputSecondsAtMost === undefined ? least : BigInt(rate.inputSecondsAtMost) * 1000n;
  const input = least < most ? least : most;
  if (inputMillis === undefined) return { input, note: ', the maximum, because input_seconds was not stated' };
  if (input < given) return { input, note: ', the billed maximum' };
  return { input, note: input > given ? ', billed for the length of the output' : '' };
}

function unstatedMillis({ media }: PricedOrder, rate: VideoRate): bigint {
  const videos = media.filter(({ role }) => role === 'reference_video').length;
  const seconds = maxInputSeconds(rate, videos) ?? rate.inputSecondsAtMost;
  if (seconds !== undefined) return BigInt(seconds) * 1000n;
  throw new GatewayError(
    'missing_required_parameter',
    'input_seconds is required: the seconds of the input video are billed too.',
    { param: 'input_seconds' },
  );
}

/** Describes the conditions that decided the rate. It names only the conditions that this price has. */
function qualityWords(order: PricedOrder, rate: VideoRate): string {
  const audio = rate.audio === undefined ? '' : rate.audio ? ' with audio' : ' without audio';
  const option = rate.option === undefined ? '' : `, ${rate.option}`;
  const reference = rate.withVideoInput ? ', from a reference video' : '';
  const voice = rate.withVoice ? ', with a reference voice' : '';
  const shape = rate.aspectRatios === undefined ? '' : ` and ${order.aspectRatio}`;
  return `at ${order.resolution}${shape}${audio}${option}${reference}${voice}`;
}

/** Formats thousandths: 7300 as `"7.3"`. */
function thousandths(milli: bigint): string {
  const fraction = (milli % 1000n).toString().padStart(3, '0').replace(/0+$/, '');
  return `${milli / 1000n}${fraction && `.${fraction}`}`;
}
