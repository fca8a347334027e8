import { ArrowLeft, ArrowRight } from 'lucide-react';
import { Button } from './button';

/** The buttons below a list that begins with the newest: back to the first page, and to the next, older one. */
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
  /** Undefined: the first page. */
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
