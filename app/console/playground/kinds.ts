import { ArrowLeftRight, Image, Images, Scissors, Type, type LucideIcon } from 'lucide-react';
import type { VideoKind } from '../../../lib/domain/video';

/** In display order. */
export const kinds: readonly VideoKind[] = ['t2v', 'i2v', 'start-end', 'r2v', 'video-edit'];

export const kindIcons: Readonly<Record<VideoKind, LucideIcon>> = {
  t2v: Type,
  i2v: Image,
  'start-end': ArrowLeftRight,
  r2v: Images,
  'video-edit': Scissors,
};
