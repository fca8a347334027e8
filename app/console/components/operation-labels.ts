import type { Operation } from '../../../lib/catalog/present-entry';

/** What a model does, in display order. */
export const operationLabels: Readonly<Record<Operation, string>> = {
  t2v: 'Text to video',
  i2v: 'Image to video',
  r2v: 'Reference to video',
  'start-end': 'First and last frame',
  'video-edit': 'Video edit',
  messages: 'Text',
  stt: 'Speech to text',
  tts: 'Text to speech',
};
