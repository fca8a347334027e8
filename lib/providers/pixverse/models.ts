import type { VideoKind } from '../../domain/video';

// The versions of PixVerse's model, and the fields in which their requests differ.

export interface PixverseModel {
  readonly kinds: readonly VideoKind[];
  /** The kinds of videos whose requests have the switch for sound; the others are silent. */
  readonly audio: readonly VideoKind[];
  /** Whether requests have the switch for several clips. */
  readonly multiClip: boolean;
  readonly thinking: boolean;
}

const framesAndText: readonly VideoKind[] = ['t2v', 'i2v', 'start-end'];
const allKinds: readonly VideoKind[] = [...framesAndText, 'r2v'];

const models: Readonly<Record<string, PixverseModel>> = {
  v6: { kinds: framesAndText, audio: framesAndText, multiClip: true, thinking: true },
  c1: { kinds: allKinds, audio: allKinds, multiClip: false, thinking: false },
  'v5.6': { kinds: allKinds, audio: allKinds, multiClip: false, thinking: true },
  'v5.5': { kinds: allKinds, audio: framesAndText, multiClip: true, thinking: true },
  v5: { kinds: allKinds, audio: [], multiClip: false, thinking: false },
  'v4.5': { kinds: allKinds, audio: [], multiClip: false, thinking: false },
  v4: { kinds: framesAndText, audio: [], multiClip: false, thinking: false },
  'v3.5': { kinds: framesAndText, audio: [], multiClip: false, thinking: false },
};

/** Returns the model; undefined if it is unknown. */
export function pixverseModel(modelName: string): PixverseModel | undefined {
  return Object.hasOwn(models, modelName) ? models[modelName] : undefined;
}
