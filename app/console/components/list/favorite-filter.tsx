import { Star } from 'lucide-react';
import { classNames } from '../ui/class-names';

/** Narrows a list of videos to the favourites of the signed-in user. */
export function FavoriteFilter({
  value,
  small = false,
  onChange,
}: {
  readonly value: boolean;
  /** Reduces the height to that of the small selects in a side panel. */
  readonly small?: boolean;
  onChange(value: boolean): void;
}) {
  return (
    <button
      type="button"
      aria-pressed={value}
      onClick={() => onChange(!value)}
      className={classNames(
        'flex items-center justify-center gap-1.5 rounded-lg border bg-surface px-3 transition-colors hover:border-control-line max-sm:h-11',
        small ? 'h-8 text-xs' : 'h-9 text-sm',
        value ? 'border-accent font-medium text-ink' : 'border-control-line/60 text-muted',
      )}
    >
      <Star size={14} aria-hidden="true" className={value ? 'fill-test text-test' : undefined} /> Favourites
    </button>
  );
}
