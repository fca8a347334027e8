import { AudioLines, Clapperboard, Ear, MessageSquareText } from 'lucide-react';
import type { RequestKind } from '../../../../lib/contract/requests';

/** The kinds of requests, in display order. */
export const requestKinds = {
  video: { icon: Clapperboard, word: 'Video', plural: 'Videos' },
  message: { icon: MessageSquareText, word: 'Message', plural: 'Messages' },
  transcription: { icon: Ear, word: 'Transcription', plural: 'Transcriptions' },
  speech: { icon: AudioLines, word: 'Speech', plural: 'Speech' },
} as const satisfies Record<RequestKind, object>;
