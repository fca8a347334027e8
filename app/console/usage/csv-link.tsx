import { Download } from 'lucide-react';
import { buttonClass } from '../components/ui/button-class';

/** A download of the same numbers. */
export function CsvLink({ path, label }: { readonly path: string; readonly label: string }) {
  return (
    <a href={path} download aria-label={`CSV: ${label}`} className={buttonClass({ size: 'small' })} data-screen-only>
      <Download size={13} aria-hidden="true" /> CSV
    </a>
  );
}
