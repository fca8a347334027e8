import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import type { Actor } from '../../lib/domain/caller';
import type { Mode } from '../../lib/domain/video';
import { gateway } from '../../lib/runtime';
import { requirePerson } from './_auth/current-person';
import { MODE_COOKIE } from './_overview/mode-cookie';
import { Overview } from './_overview/overview';
import { readQuietly } from './_shell/read-quietly';
import { Shell } from './_shell/shell';
import { NowProvider } from './_ui/now';
import type { ShownVideo } from './_videos/shown-video';
import { paths } from './paths';

export const metadata: Metadata = { title: 'Overview' };

const SHOWN_VIDEOS = 20;

export default async function OverviewPage({ searchParams }: { readonly searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const asked = parseMode((await searchParams).mode);
  const person = await requirePerson(paths.overview(asked));
  // What the address does not say is what was looked at last; a new installation is tried in test mode.
  const mode = asked ?? parseMode((await cookies()).get(MODE_COOKIE)?.value) ?? 'test';

  const { accounts, videos, baseUrl, clock } = gateway();
  const { orgId } = person;
  const actor: Actor = { orgId, role: person.role, userId: person.userId };
  const [test, live, keys, shown] = await readQuietly(() =>
    Promise.all([
      accounts.credits({ orgId, mode: 'test' }),
      accounts.credits({ orgId, mode: 'live' }),
      accounts.listKeys(actor),
      videos.list({ orgId, mode }, { limit: SHOWN_VIDEOS, order: 'desc' }),
    ]),
  );

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.now().getTime()}>
        <Overview
          key={mode}
          mode={mode}
          baseUrl={baseUrl}
          me={person.userId}
          mayEdit={person.role !== 'viewer'}
          credits={{ test, live }}
          keys={keys}
          // Safe: every video is presented with these fields; see ShownVideo.
          videos={shown.data as readonly unknown[] as readonly ShownVideo[]}
        />
      </NowProvider>
    </Shell>
  );
}

function parseMode(text: string | readonly string[] | undefined): Mode | undefined {
  return text === 'live' || text === 'test' ? text : undefined;
}
