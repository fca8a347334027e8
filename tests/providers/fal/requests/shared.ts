import type { OrderCase } from '../../contract/request-cases';
import { first, imageReference, last, otherReference, parameter } from '../../support/vendor-orders';

// The words of the expected bodies that the endpoints share. An endpoint may serve several models of the catalog.

export interface EndpointCase extends Pick<OrderCase, 'order' | 'body' | 'changes'> {
  readonly endpoint: string;
  /** The upstream model of the binding, if it is another endpoint. */
  readonly modelName?: string;
}

export const frames = [first, last];
export const references = [imageReference, otherReference];

export const ratios = (...all: string[]) =>
  all.map((ratio) => [{ aspectRatio: ratio }, { aspect_ratio: ratio }] as const);
export const tiers = (...all: string[]) => all.map((tier) => [{ resolution: tier }, { resolution: tier }] as const);
export const seeds = [
  [{ seed: 0 }, { seed: 0 }],
  [{ seed: 2_147_483_647 }, { seed: 2_147_483_647 }],
] as const;
export const negativePrompt = [parameter('negative_prompt', 'rain'), { negative_prompt: 'rain' }] as const;
export const sound = [{ audio: true }, { generate_audio: true }] as const;

/** An order of this length, and the field that says so. */
export const ofSeconds = <Duration extends string | number>(seconds: number, duration: Duration) =>
  [{ seconds }, { duration }] as const;
export const expansion = [
  [parameter('prompt_extend', true), { enable_prompt_expansion: true }],
  [parameter('prompt_extend', false), { enable_prompt_expansion: false }],
] as const;
