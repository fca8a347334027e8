'use client';

import { Download } from 'lucide-react';
import { useOrganizations } from '../shell/organization';
import { buttonClass } from '../ui/button-class';

/**
 * A link that downloads what the page shows as CSV. A link cannot send a header, so the query names the organisation.
 */
export function CsvLink({ path, label }: { readonly path: string; readonly label: string }) {
  const { current } = useOrganizations();
  return (
    <a
      href={`${path}${path.includes('?') ? '&' : '?'}organization=${current.id}`}
      download
      aria-label={`CSV: ${label}`}
      className={buttonClass({ size: 'small' })}
      data-screen-only
    >
      <Download size={13} aria-hidden="true" /> CSV
    </a>
  );
}
