import type { PcmEncoding } from '../../domain/pcm';
import type { FailureCode } from '../kit/http/socket';

/** The provider's names of our encodings. */
export const encodingNames: Readonly<Record<PcmEncoding, string>> = {
  pcm_s16le: 'linear16',
  pcm_f32le: 'linear32',
  pcm_mulaw: 'mulaw',
  pcm_alaw: 'alaw',
};

/** 1011 is `NET-0000` or `NET-0001`: nothing arrived in time, in one direction or the other. */
export const closeCodes: Readonly<Record<number, FailureCode>> = { 1011: 'upstream_timeout' };
