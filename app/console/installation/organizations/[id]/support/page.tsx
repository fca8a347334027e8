import type { Metadata } from 'next';
import { gateway } from '../../../../../../lib/runtime';
import { requireOperator } from '../../../../components/auth/current-person';
import { currentMode } from '../../../../components/shell/current-mode';
import { readOrNotFound } from '../../../../components/shell/read-or-not-found';
import { Shell } from '../../../../components/shell/shell';
import { NowProvider } from '../../../../components/ui/now';
import { paths, withQuery } from '../../../../paths';
import { SupportView } from '../../../support-view';

export const metadata: Metadata = { title: 'Support' };

export default async function SupportPage({
  params,
  searchParams,
}: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { id } = await params;
  const query = await searchParams;
  const person = await requireOperator(withQuery(paths.support(id), query));
  const mode = await currentMode(query.mode);
  const { clock, operator } = gateway();
  // Each read is recorded in the audit log, so the page reads the data once per visit and never refreshes it.
  const seen = await readOrNotFound('organization_not_found', () =>
    operator.readSupportView(id, mode, { userId: person.userId }),
  );

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <SupportView of={seen} />
      </NowProvider>
    </Shell>
  );
}
