import type { Metadata } from 'next';
import { mayChange } from '../../../../lib/domain/roles';
import { gateway } from '../../../../lib/runtime';
import { requirePerson } from '../../components/auth/current-person';
import { currentMode } from '../../components/shell/current-mode';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { paths, withQuery } from '../../paths';
import { SetupView } from './setup-view';

export const metadata: Metadata = { title: 'Set up a tool' };

/** In test mode the sandbox serves requests. */
const SANDBOX = { video: 'sandbox-t2v', messages: 'sandbox-text' } as const;

export default async function SetupPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.setup(), query));
  const mode = await currentMode(query.mode);
  const { catalogOf, baseUrl } = gateway();
  const catalog = await readQuietly(() => catalogOf({ orgId: person.orgId, mode: 'live' }));
  /** Returns the id of a model that a new key of the mode can call. */
  const modelOf = (capability: 'video' | 'messages') => {
    const served = catalog
      .list()
      .filter(
        (model) => model.capability === capability && model.bindings.some((each) => catalog.available(model, each)),
      );
    const own = served.find(({ id }) => !id.startsWith('sandbox'));
    return mode === 'live' && own ? own.id : SANDBOX[capability];
  };
  return (
    <Shell person={person}>
      <SetupView
        key={mode}
        mode={mode}
        baseUrl={baseUrl}
        mayEdit={mayChange(person, 'edit')}
        videoModel={modelOf('video')}
        textModel={modelOf('messages')}
      />
    </Shell>
  );
}
