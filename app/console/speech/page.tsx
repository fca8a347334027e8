import type { Metadata } from 'next';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { TranscriptionPanel } from './transcription-panel';
import { SpeechPanel } from './speech-panel';
import type { ShownModel } from './shown-model';
import { Section } from '../components/ui/card';
import { paths } from '../paths';

export const metadata: Metadata = { title: 'Speech' };

export default async function SpeechPage() {
  const person = await requirePerson(paths.speech());
  const mode = await currentMode();
  const catalog = await readQuietly(() => gateway().catalogOf({ orgId: person.orgId, mode: 'live' }));
  const hearing: ShownModel[] = [];
  const speaking: ShownModel[] = [];
  for (const model of catalog.list()) {
    const shown = { id: model.id, name: model.name, available: catalog.available(model) };
    if (model.capability === 'stt') hearing.push({ ...shown, voices: [] });
    if (model.capability === 'tts' && !model.bindings.every(catalog.isSwitchedOff))
      speaking.push({ ...shown, voices: model.tts.voices.map(({ name }) => name) });
  }
  return (
    <Shell person={person}>
      <h1 className="text-xl font-semibold tracking-[-0.02em]">Speech</h1>
      <p className="mt-1 mb-7 text-sm text-muted">
        {mode === 'test'
          ? 'In test mode every model runs in the sandbox on this machine; no audio leaves it.'
          : 'In live mode the models run at their providers, at the prices of the catalog.'}
      </p>
      <div className="grid gap-10 lg:grid-cols-2">
        <Section id="listen" title="Speech to text">
          <TranscriptionPanel models={hearing} mode={mode} />
        </Section>
        <Section id="speak" title="Text to speech">
          <SpeechPanel models={speaking} mode={mode} />
        </Section>
      </div>
    </Shell>
  );
}
