import type { Metadata } from 'next';
import type { SttModel, TtsModel } from '../../../lib/domain/model';
import { mayChange } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { paths, withQuery } from '../paths';
import type { ShownModel } from './shown-model';
import { SpeechPlayground } from './speech-playground';

export const metadata: Metadata = { title: 'Speech' };

type Query = Record<string, string | string[] | undefined>;

export default async function SpeechPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.speech(), query));
  const mode = await currentMode(query.mode);
  const { alerts, catalogOf, baseUrl } = gateway();
  const { orgId } = person;
  const [catalog, watched] = await readQuietly(() =>
    Promise.all([catalogOf({ orgId, mode: 'live' }), alerts.list({ orgId, mode })]),
  );
  const shownOf = <Model extends SttModel | TtsModel>(model: Model): ShownModel<Model> => ({
    model,
    offered: model.bindings.filter((binding) => catalog.available(model, binding)).map(({ providerId }) => providerId),
    implemented: catalog.isImplemented(model),
  });
  const models = catalog.list();
  return (
    <Shell person={person} wide>
      <SpeechPlayground
        key={mode}
        mode={mode}
        baseUrl={baseUrl}
        mayStart={mayChange(person, 'edit')}
        alerts={watched}
        hearing={models.filter((model) => model.capability === 'stt').map(shownOf)}
        speaking={models
          .filter((model) => model.capability === 'tts')
          .filter((model) => !model.bindings.every(catalog.isSwitchedOff))
          .map(shownOf)}
      />
    </Shell>
  );
}
