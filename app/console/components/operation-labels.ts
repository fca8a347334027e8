import type { CatalogEntry } from '../../../lib/contract/models';

/** What a model does, in display order. */
export const operationLabels: Readonly<Record<CatalogEntry['operation'], string>> = {
  t2v: 'Text to video',
  i2v: 'Image to video',
  r2v: 'Reference to video',
  'start-end': 'First and last frame',
  'video-edit': 'Video edit',
  messages: 'Text',
  stt: 'Speech to text',
  tts: 'Text to speech',
};
