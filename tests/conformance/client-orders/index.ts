import { alibaba } from './alibaba';
import { bytedance } from './bytedance';
import { fal } from './fal';
import { googleAiStudio, googleVertex } from './google';
import { kling } from './kling';
import type { VendorOrders } from './order';
import { higgsfield, luma, lumaDreamMachine, minimax, pixverse, vidu, xai } from './others';
import { replicate, wavespeed } from './resellers';
import { runway } from './runway';

/** The orders of every vendor whose models have names of their own; those of `openai-videos` are the operator's. */
export const clientOrders: readonly VendorOrders[] = [
  alibaba,
  bytedance,
  fal,
  googleAiStudio,
  googleVertex,
  higgsfield,
  kling,
  luma,
  lumaDreamMachine,
  minimax,
  pixverse,
  replicate,
  runway,
  vidu,
  wavespeed,
  xai,
];
