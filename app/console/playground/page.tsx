import type { Metadata } from 'next';
import { isObject, type Fields } from '../../../lib/domain/json';
import { mayChange } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import type { ShownModel } from '../components/video-form/form';
import { Playground } from './playground';
import { shownModelOf } from '../components/video-form/shown-model';
import { queryFields } from '../components/video-form/query-fields';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { NowProvider } from '../components/ui/now';
import { paths, withQuery } from '../paths';

export const metadata: Metadata = { title: 'Playground' };

const SHOWN_VIDEOS = 60;

type Query = Record<string, string | string[] | undefined>;

export default async function PlaygroundPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.playground(), query));
  const mode = await currentMode(query.mode);
  const { accounts, alerts, catalogOf, videos, baseUrl, clock } = gateway();
  const catalog = await readQuietly(() => catalogOf({ orgId: person.orgId, mode: 'live' }));
  const account = { orgId: person.orgId, mode };

  const models: ShownModel[] = catalog
    .list()
    .filter((model) => model.capability === 'video')
    .map((model) => shownModelOf(catalog, model, videos.publishesMedia));
  const from = typeof query.from === 'string' ? query.from : undefined;
  const [credits, watched, list] = await readQuietly(() =>
    Promise.all([
      accounts.credits(account),
      alerts.list(account),
      videos.search(account, { limit: SHOWN_VIDEOS, favoritesOf: person.userId }),
    ]),
  );

  const wanted = requestOf(query);
  return (
    <Shell person={person} wide>
      <NowProvider startMs={clock.nowMs()}>
        <Playground
          // A new URL starts with a new form.
          key={`${mode} ${from ?? ''} ${JSON.stringify(wanted)}`}
          mode={mode}
          baseUrl={baseUrl}
          mayEdit={mayChange(person, 'edit')}
          models={models}
          credits={credits}
          alerts={watched}
          videos={list.data}
          wanted={wanted}
          from={from}
        />
      </NowProvider>
    </Shell>
  );
}

/**
 * Query parameters of the page itself. All others are request fields, such as `?model=…&seconds=8`, or a whole request
 * as `?request={…}`.
 */
const OWN = new Set(['mode', 'from', 'request', 'video', 'panel', 'status', 'of', 'favorites']);

function requestOf(query: Query): Fields | undefined {
  const whole = typeof query.request === 'string' ? parseObject(query.request) : undefined;
  const fields = Object.entries(query).filter(
    (entry): entry is [string, string] => !OWN.has(entry[0]) && typeof entry[1] === 'string',
  );
  return whole || fields.length > 0 ? { ...queryFields(fields), ...whole } : undefined;
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
