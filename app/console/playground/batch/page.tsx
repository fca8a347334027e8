import type { Metadata } from 'next';
import { mayChange } from '../../../../lib/domain/roles';
import { gateway } from '../../../../lib/runtime';
import { requirePerson } from '../../components/auth/current-person';
import { currentMode } from '../../components/shell/current-mode';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { NowProvider } from '../../components/ui/now';
import type { ShownModel } from '../../components/video-form/form';
import { shownModelOf } from '../../components/video-form/shown-model';
import { paths, withQuery } from '../../paths';
import { BatchView } from './batch-view';

export const metadata: Metadata = { title: 'Video batch' };

type Query = Record<string, string | string[] | undefined>;

export default async function BatchPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.batch(), query));
  const mode = await currentMode(query.mode);
  const { accounts, alerts, catalogOf, videos, clock } = gateway();
  const account = { orgId: person.orgId, mode };
  const [catalog, credits, watched] = await readQuietly(() =>
    Promise.all([catalogOf({ ...account, mode: 'live' }), accounts.credits(account), alerts.list(account)]),
  );
  const models: ShownModel[] = catalog
    .list()
    .filter((model) => model.capability === 'video')
    .map((model) => shownModelOf(catalog, model, videos.publishesMedia));
  return (
    <Shell person={person} wide>
      <NowProvider startMs={clock.nowMs()}>
        <BatchView
          key={mode}
          mode={mode}
          mayEdit={mayChange(person, 'edit')}
          models={models}
          credits={credits}
          alerts={watched}
        />
      </NowProvider>
    </Shell>
  );
}
