'use client';

import Link from 'next/link';
import useSWR from 'swr';
import type { Mode } from '../../../lib/domain/video';
import { Charge } from '../components/request/charge';
import { findLogged, readOnce } from '../components/request/find-logged';
import { linkClass } from '../components/ui/link-class';
import { usd } from '../../../lib/domain/money';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';

/**
 * The cost of a transcription or a spoken text: an estimate until it has ended, then the charge from the request log.
 * `search` is the id of the session or of the text.
 */
export function SessionCost({
  search,
  hasEnded,
  estimate,
  mode,
}: {
  readonly search: string | undefined;
  readonly hasEnded: boolean;
  /** Dollars, as a decimal text. */
  readonly estimate: string;
  readonly mode: Mode;
}) {
  const { data } = useSWR(
    hasEnded && search !== undefined ? ['session-cost', search, mode] : null,
    () => findLogged(apiPaths.requests(mode, { search, limit: '1' })),
    readOnce,
  );
  if (!data) return <span title="An estimate until the session has ended">about {usd(estimate)}</span>;
  return (
    <Link href={paths.session(data.id, mode)} prefetch={false} className={linkClass} data-testid="charged">
      <Charge request={data} />
    </Link>
  );
}
