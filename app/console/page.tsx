import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import type { Actor } from '../../lib/domain/caller';
import { mayChange } from '../../lib/domain/roles';
import { gateway } from '../../lib/runtime';
import { requirePerson } from './components/auth/current-person';
import { FIRST_STEPS_COOKIE } from './overview/first-steps-cookie';
import { Overview } from './overview/overview';
import { currentMode, parseMode } from './components/shell/current-mode';
import { readQuietly } from './components/shell/read-quietly';
import { Shell } from './components/shell/shell';
import { paths } from './paths';

export const metadata: Metadata = { title: 'Overview' };

const SHOWN_VIDEOS = 20;

export default async function OverviewPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const requestedMode = (await searchParams).mode;
  const person = await requirePerson(paths.overview(parseMode(requestedMode)));
  const mode = await currentMode(requestedMode);

  const { accounts, activity, alerts, videos, baseUrl } = gateway();
  const { orgId } = person;
  const actor: Actor = { orgId, role: person.role, userId: person.userId };
  const account = { orgId, mode };
  const [credits, lately, watched, keys, shown] = await readQuietly(() =>
    Promise.all([
      accounts.credits(account),
      activity.read(account),
      alerts.list(account),
      accounts.listKeys(actor),
      videos.search(account, { limit: SHOWN_VIDEOS }),
    ]),
  );

  return (
    <Shell person={person}>
      <Overview
        key={mode}
        mode={mode}
        baseUrl={baseUrl}
        mayEdit={mayChange(person, 'edit')}
        credits={credits}
        activity={lately}
        alerts={watched}
        keys={keys}
        videos={shown.data}
        firstStepsDismissed={(await cookies()).get(FIRST_STEPS_COOKIE)?.value === 'done'}
      />
    </Shell>
  );
}
