import { ArrowLeft, ArrowRight } from 'lucide-react';
import { Button } from './button';

/** Page buttons below a list with the newest entries first: back to the first page, and on to older entries. */
export function PageNav({
  label,
  isFirst,
  next,
  onChange,
}: {
  readonly label: string;
  readonly isFirst: boolean;
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
  /** Called with the cursor of a page; undefined means the first page. */
  onChange(after: string | undefined): void;
}) {
  return (
    <nav aria-label={label} className="flex items-center justify-between gap-2">
      {isFirst ? (
        <span />
      ) : (
        <Button onClick={() => onChange(undefined)}>
          <ArrowLeft size={14} aria-hidden="true" /> Newest
        </Button>
      )}
      {next !== null && (
        <Button onClick={() => onChange(next)}>
          Older <ArrowRight size={14} aria-hidden="true" />
        </Button>
      )}
    </nav>
  );
}
