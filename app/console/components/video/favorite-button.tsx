'use client';

import { Star } from 'lucide-react';
import { useState } from 'react';
import type { FavoriteJson } from '../../../../lib/contract/videos';
import { send } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { buttonClass } from '../ui/button-class';
import { classNames } from '../ui/class-names';
import { toast } from '../ui/toast';

/**
 * Marks a video as a favourite of the signed-in user. The mark appears at once and is removed if the request fails.
 * `name` is for screen readers.
 */
export function FavoriteButton({
  id,
  name,
  favorite,
  onChanged,
  className,
}: {
  readonly id: string;
  readonly name: string;
  readonly favorite: boolean;
  /** Called after the server has stored the change. */
  onChanged?(favorite: boolean): void;
  readonly className?: string;
}) {
  const [wanted, setWanted] = useState<boolean>();
  const isOn = wanted ?? favorite;

  async function toggle() {
    const next = !isOn;
    setWanted(next);
    try {
      await send<FavoriteJson>(next ? 'POST' : 'DELETE', apiPaths.favoriteVideo(id));
      onChanged?.(next);
    } catch (error) {
      setWanted(undefined);
      toast(error instanceof Error ? error.message : 'The favourite could not be saved. Try again.');
    }
  }

  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-label={`Favourite: ${name}`}
      title={isOn ? 'Remove from favourites' : 'Add to favourites'}
      onClick={() => void toggle()}
      className={buttonClass({ variant: 'quiet', size: 'icon' }, className)}
    >
      <Star size={15} aria-hidden="true" className={classNames(isOn && 'fill-test text-test')} />
    </button>
  );
}
