import { GatewayError } from '../domain/errors';
import type { VideoFacts } from '../domain/video';
import {
  isRatio,
  nearestBy,
  matchingRatio,
  nearestTier,
  tierSides,
  canonicalSize,
  isUsualSize,
  ratiosAt,
  allowedSeconds,
} from '../domain/video-tiers';
import { anyOf, shown } from '../domain/phrases';
import { parseWholeNumber } from '../domain/json';

// Callers request pixels; providers sell a tier (720p) and an aspect ratio (16:9). People name a square of 720p in two
// ways: 720x720, by its short side, and 960x960, which has the area of 1280x720 and is what providers produce. Both are
// read, and both cost the same. Also runs in the browser, where the form shows sizes and prices.

/** The facts of a model that determine sizes. */
export type SizeFacts = Pick<
  VideoFacts,
  'kind' | 'resolutions' | 'defaultResolution' | 'aspectRatios' | 'ratiosOfTiers'
>;

/** The size fields of a request body, unparsed. */
export interface SizeFields {
  readonly size?: unknown;
  readonly width?: unknown;
  readonly height?: unknown;
}

export interface VideoSize {
  readonly resolution: string;
  /** Absent when the media decide the ratio; `adaptive` when the model follows the media unless a size is requested. */
  readonly aspectRatio?: string;
  readonly width: number;
  readonly height: number;
}

/** The limit where no list of ratios applies: no side more than four times the other. */
const MAX_ASPECT_RATIO = 4;
/** So that no area makes up for a shape that differs by a few percent, such as 4:3 for 16:9. */
const WEIGHT_OF_SHAPE = 20;
/** The ratios of suggested sizes where the media decide the ratio. */
const COMMON_RATIOS = ['16:9', '9:16', '1:1'];

/**
 * The tier, ratio and pixels of a request: from `size` ("1280x720"), from `width` and `height`, or the default tier and
 * first ratio. Pixels are read as a size that providers produce, by their short side, by their area, or, if they are wider
 * than 16:9, by their long side, in this order.
 * Rejects with `invalid_type`, `missing_required_parameter` (only one side), `conflicting_parameters` (size and sides
 * disagree) or `unsupported_value`, whose `details.allowed` lists the canonical sizes.
 */
export function parseVideoSize(facts: SizeFacts, fields: SizeFields, modelId: string): VideoSize {
  const requested = parsePixels(facts, fields, modelId);
  if (!requested) return defaultSize(facts);
  const { width, height } = requested;
  const refuse = (why: string) => unsupportedSize(facts, requested.param, `size ${width}x${height} ${why}.`, requested);
  // H.264 encodes colour for squares of two by two pixels.
  if (width % 2 === 1 || height % 2 === 1)
    throw refuse(`has an odd side; width and height must be even for ${modelId}`);
  const resolution = tierOf(facts.resolutions, width, height);
  if (resolution === undefined) throw refuse(`is not supported by ${modelId}`);
  const ratios = ratiosAt(facts, resolution).filter(isRatio);
  if (ratios.length === 0) {
    if (Math.max(width / height, height / width) > MAX_ASPECT_RATIO)
      throw refuse(`is too long and narrow for ${modelId}`);
    return { resolution, width, height };
  }
  const aspectRatio = matchingRatio(ratios, width / height);
  if (aspectRatio === undefined) throw refuse(`is not supported by ${modelId}${atTier(facts, resolution)}`);
  return { resolution, aspectRatio, width, height };
}

/**
 * The canonical sizes of a model, `WIDTHxHEIGHT`: every tier at every ratio, or at the common ratios where the media
 * decide.
 */
export function supportedSizes(facts: SizeFacts): string[] {
  return facts.resolutions.flatMap((tier) => {
    const listed = ratiosAt(facts, tier).filter(isRatio);
    return (listed.length > 0 ? listed : COMMON_RATIOS).map((ratio) => canonicalSize(tier, ratio).join('x'));
  });
}

/** `, which makes 480p in 16:9, 9:16 or 1:1`; empty where the tier has all ratios of the model. */
function atTier(facts: SizeFacts, tier: string): string {
  const ratios = facts.ratiosOfTiers?.[tier]?.filter(isRatio);
  return ratios ? `, which makes ${tier} in ${anyOf(ratios)}` : '';
}

function defaultSize(facts: SizeFacts): VideoSize {
  const resolution = facts.defaultResolution;
  const ratios = ratiosAt(facts, resolution);
  const first = ratios.find(isRatio);
  const [width, height] = canonicalSize(resolution, first ?? '16:9');
  // Without a requested size, an edit keeps the shape of its source, and a model that can follow its image does so: a
  // portrait image must not be cropped to 16:9.
  if (first === undefined || facts.kind === 'video-edit') return { resolution, width, height };
  return { resolution, aspectRatio: ratios.includes('adaptive') ? 'adaptive' : first, width, height };
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly param: 'size' | 'width';
}

function parsePixels(facts: SizeFacts, fields: SizeFields, modelId: string): Pixels | undefined {
  const size = isGiven(fields.size) ? parseSizeText(facts, fields.size, modelId) : undefined;
  const width = isGiven(fields.width) ? parseSide('width', fields.width) : undefined;
  const height = isGiven(fields.height) ? parseSide('height', fields.height) : undefined;
  if (size) {
    if ((width ?? size.width) !== size.width || (height ?? size.height) !== size.height) {
      throw new GatewayError(
        'conflicting_parameters',
        'size disagrees with width and height. Send size alone, or width and height alone.',
        { param: 'size' },
      );
    }
    return size;
  }
  if (width === undefined && height === undefined) return undefined;
  if (width === undefined || height === undefined) {
    const [given, missing] = width === undefined ? ['height', 'width'] : ['width', 'height'];
    throw new GatewayError(
      'missing_required_parameter',
      `${given} needs ${missing} as well. Send both, or size as WIDTHxHEIGHT.`,
      { param: missing },
    );
  }
  return { width, height, param: 'width' };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function parseSizeText(facts: SizeFacts, value: unknown, modelId: string): Pixels {
  if (typeof value !== 'string') {
    throw new GatewayError('invalid_type', `size must be text such as "1280x720"; got ${shown(value)}.`, {
      param: 'size',
    });
  }
  const match = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(value);
  if (!match)
    throw unsupportedSize(facts, 'size', `size must be WIDTHxHEIGHT in pixels for ${modelId}; got ${shown(value)}.`);
  return { width: Number(match[1]), height: Number(match[2]), param: 'size' };
}

function parseSide(param: 'width' | 'height', value: unknown): number {
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw new GatewayError('invalid_type', `${param} must be a whole number of pixels; got ${shown(value)}.`, {
      param,
    });
  }
  const pixels = parseWholeNumber(value);
  if (pixels === undefined || pixels < 1 || pixels > 99_999) {
    throw new GatewayError(
      'unsupported_value',
      `${param} must be a whole number of pixels, such as 1280; got ${shown(value)}.`,
      { param },
    );
  }
  return pixels;
}

/** The sold tier of these pixels. */
function tierOf(sold: readonly string[], width: number, height: number): string | undefined {
  const short = Math.min(width, height);
  const long = Math.max(width, height);
  return (
    sold.find((tier) => isUsualSize(tier, width, height)) ??
    sold.find((tier) => tierSides[tier]?.[1] === short) ??
    nearestTier(sold, width * height) ??
    sold.find((tier) => tierSides[tier]?.[0] === long && short < tierSides[tier][1])
  );
}

function unsupportedSize(facts: SizeFacts, param: string, what: string, requested?: Pixels): GatewayError {
  const allowed = supportedSizes(facts);
  const ratios = facts.aspectRatios.filter(isRatio);
  const shapes = ratios.length > 0 ? ` at ${anyOf(ratios)}` : '';
  const example = requested
    ? `the nearest size is ${nearestSize(allowed, requested)}`
    : `for example ${canonicalSize(facts.defaultResolution, ratios[0] ?? '16:9').join('x')}`;
  return new GatewayError(
    'unsupported_value',
    `${what} Use ${anyOf(facts.resolutions)}${shapes}${requested ? ';' : ','} ${example}.`,
    {
      param,
      details: { allowed },
    },
  );
}

/** The size of the nearest shape, and among those of about this shape the one of the nearest area. */
function nearestSize(sizes: readonly string[], { width, height }: Pixels): string | undefined {
  return nearestBy(sizes, (size) => {
    const [wide = NaN, high = NaN] = size.split('x').map(Number);
    const shape = Math.abs(Math.log(width / height / (wide / high)));
    return WEIGHT_OF_SHAPE * shape + Math.abs(Math.log((width * height) / (wide * high)));
  });
}

// The duration of a video is never clamped silently, because the price is fixed from it. Also runs in the browser.

/** The facts of a model that determine durations. */
export type SecondsFacts = Pick<VideoFacts, 'seconds' | 'defaultSeconds' | 'rules'>;

export interface SecondsContext {
  readonly modelId: string;
  /** The order's tier: some tiers allow only some durations. */
  readonly resolution: string;
  /** Edits: the stated duration of the source, in milliseconds. */
  readonly inputMillis?: number;
}

/**
 * The output's duration in whole seconds, from 5 or "5". Without a value: the model's default, or for an edit the
 * source's duration, rounded up and clamped to the allowed range. Rejects with `invalid_type`, or `unsupported_value`
 * with `details.allowed`.
 */
export function checkSeconds(facts: SecondsFacts, value: unknown, context: SecondsContext): number {
  const allowed = allowedSeconds(facts, context.resolution);
  if (value === undefined || value === null) return defaultSeconds(facts, allowed, context);
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw new GatewayError('invalid_type', `seconds must be a whole number, such as 5 or "5"; got ${shown(value)}.`, {
      param: 'seconds',
    });
  }
  const seconds = parseWholeNumber(value);
  if (seconds !== undefined && allowed.includes(seconds)) return seconds;
  const range = rangeWords(allowed);
  const whole = seconds === undefined && !range.startsWith('one of') ? 'a whole number ' : '';
  const tier = allowed.length < facts.seconds.length ? ` at ${context.resolution}` : '';
  const got = seconds ?? shown(value);
  throw new GatewayError(
    'unsupported_value',
    `seconds must be ${whole}${range} for ${context.modelId}${tier}; got ${got}.`,
    {
      param: 'seconds',
      details: { allowed: allowed.map(String) },
    },
  );
}

function defaultSeconds(facts: SecondsFacts, allowed: readonly number[], context: SecondsContext): number {
  const wanted = facts.defaultSeconds ?? Math.ceil((context.inputMillis ?? 0) / 1000);
  const seconds = allowed.find((length) => length >= wanted) ?? allowed.at(-1);
  if (seconds === undefined)
    throw new RangeError(`The rules of ${context.modelId} leave no length at ${context.resolution}.`);
  return seconds;
}

/** `between 3 and 15`, `one of 4, 6, 8`, or `5`. */
export function rangeWords(allowed: readonly number[]): string {
  const [first] = allowed;
  const last = allowed.at(-1);
  if (allowed.length === 1 || first === undefined || last === undefined) return allowed.join('');
  if (allowed.length > 2 && last - first === allowed.length - 1) return `between ${first} and ${last}`;
  return `one of ${allowed.join(', ')}`;
}
