import { shortSides } from '../../support/short-sides';
// The words of the orders that clients of each vendor place: facts of the vendors' public documentation, written in the
// fields of our API.

/** The body of an order, without its model. */
export type OrderFields = Readonly<Record<string, unknown>>;

/** The orders for one model, pinned to a vendor. */
export interface ModelOrders {
  readonly model: string;
  readonly orders: readonly OrderFields[];
  /** Orders that the vendor's clients place and that we refuse. */
  readonly refused?: readonly RefusedOrder[];
}

export interface RefusedOrder {
  readonly order: OrderFields;
  /** The field that the refusal names. */
  readonly param: string;
  /** Why we refuse what the client asks for. */
  readonly reason: string;
}

export interface VendorOrders {
  /** The id of the provider. */
  readonly provider: string;
  readonly models: readonly ModelOrders[];
}

export const PICTURE = 'https://cdn.example.com/first.jpg';
export const LAST_PICTURE = 'https://cdn.example.com/last.png';
export const CLIP = 'https://cdn.example.com/clip.mp4';

export const text = { prompt: 'A red fox crosses a frozen river at dawn, slow tracking shot' };
export const frame = { prompt: 'The camera pushes in while leaves fall', image_url: PICTURE };
export const frames = { prompt: 'The flower opens', image_list: [PICTURE, LAST_PICTURE] };

/** Reference pictures, as many as are asked for. */
export const references = (count: number, prompt = 'The woman of the first picture walks through the market') => ({
  prompt,
  image_list: Array.from({ length: count }, (_, index) => `https://cdn.example.com/reference-${index + 1}.webp`),
});

export const edit = (inputSeconds: number) => ({
  prompt: 'Turn the car blue',
  video_url: CLIP,
  input_seconds: inputSeconds,
});

/** The size that people compute from the words of a vendor: the short side of the tier, and the other by the ratio. */
export function sizeOf(tier: string, ratio: string): string {
  const short = shortSides[tier] ?? 0;
  const [wide = 1, high = 1] = ratio.split(':').map(Number);
  const even = (pixels: number) => 2 * Math.round(pixels / 2);
  return wide >= high ? `${even((short * wide) / high)}x${short}` : `${short}x${even((short * high) / wide)}`;
}

/** An order in each tier and ratio, as people compute the sizes. */
export function inSizes(order: OrderFields, tiers: readonly string[], ratios: readonly string[]): OrderFields[] {
  return tiers.flatMap((tier) => ratios.map((ratio) => ({ ...order, size: sizeOf(tier, ratio) })));
}

/** An order in each of these sizes: the pixels of a vendor's own table. */
export function inPixels(order: OrderFields, sizes: string): OrderFields[] {
  return sizes.split(' ').map((size) => ({ ...order, size }));
}

export function inSeconds(order: OrderFields, ...seconds: readonly (number | string)[]): OrderFields[] {
  return seconds.map((each) => ({ ...order, seconds: each }));
}

/** An order with each of these additions. */
export function withEach(order: OrderFields, ...additions: readonly OrderFields[]): OrderFields[] {
  return additions.map((addition) => ({ ...order, ...addition }));
}

/** The models before Hailuo, whose clients state a prompt, an image, and whether the prompt may be rewritten. */
export const firstMinimax: readonly ModelOrders[] = [
  { model: 'minimax-01-t2v', order: text },
  { model: 'minimax-01-director-t2v', order: { prompt: '[Pan left, Zoom in] A red fox crosses a frozen river' } },
  { model: 'minimax-01-i2v', order: frame },
  { model: 'minimax-01-director-i2v', order: frame },
  { model: 'minimax-01-live-i2v', order: frame },
].map(({ model, order }) => ({
  model,
  orders: [order, ...inSeconds(order, 6), ...withEach(order, { prompt_extend: true }, { size: '1280x720' })],
}));
