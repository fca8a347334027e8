'use client';

import { useState } from 'react';
import type { AlertListJson } from '../../../lib/contract/alerts';
import type { SttModel, TtsModel } from '../../../lib/domain/model';
import type { Mode } from '../../../lib/domain/video';
import { LowBalanceNote } from '../components/credits/low-balance-note';
import { useRefusal } from '../components/shell/organization';
import { useTabState } from '../components/use-tab-state';
import { useUrlState } from '../components/ui/use-url-state';
import type { Clip } from './clip';
import { SAMPLE_MODEL } from './samples';
import type { ShownModel } from './shown-model';
import { SpeechPanel } from './speech-panel';
import { firstSpeechSettings } from './speech-settings';
import { TranscriptionPanel } from './transcription-panel';
import { firstTranscriptionSettings } from './transcription-settings';
import { PageHeading } from '../components/ui/page-heading';
import { onDemand } from '../components/ui/on-demand';

const CodeDrawer = onDemand(() => import('./code-drawer').then((module) => module.CodeDrawer));

/** Speech to text on the left, text to speech on the right. The models are in the URL, the other settings in the tab. */
export function SpeechPlayground({
  hearing,
  speaking,
  mode,
  baseUrl,
  mayStart,
  alerts,
}: {
  readonly hearing: readonly ShownModel<SttModel>[];
  readonly speaking: readonly ShownModel<TtsModel>[];
  readonly mode: Mode;
  readonly baseUrl: string;
  readonly mayStart: boolean;
  readonly alerts: AlertListJson;
}) {
  const { query, change } = useUrlState();
  const [transcription, changeTranscription] = useTabState('speech-transcription', firstTranscriptionSettings);
  const [speech, changeSpeech] = useTabState('speech-synthesis', firstSpeechSettings);
  const [clip, setClip] = useState<Clip>();
  const heard = shownOf(hearing, query.get('stt') ?? transcription.modelId);
  const spoken = shownOf(speaking, query.get('tts') ?? speech.modelId);
  const panel = query.get('panel');
  const refusal = useRefusal('start sessions');
  const closePanel = () => change({ panel: undefined }, 'replace');
  return (
    <>
      <PageHeading
        title="Speech"
        description={
          !mayStart
            ? refusal
            : mode === 'test'
              ? 'In test mode every model runs in the sandbox on this machine; no audio leaves it.'
              : 'In live mode the models run at their providers, at the prices of the catalog.'
        }
      />
      <LowBalanceNote mode={mode} initial={alerts} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-10 lg:grid-cols-2">
        {heard ? (
          <TranscriptionPanel
            models={hearing}
            shown={heard}
            mode={mode}
            mayStart={mayStart}
            hasSamples={speaking.some(({ model }) => model.id === SAMPLE_MODEL)}
            settings={transcription}
            onChange={(part) => {
              changeTranscription(part);
              if (part.modelId !== undefined) change({ stt: part.modelId }, 'replace');
            }}
            clip={clip}
            onClip={setClip}
            onCode={() => change({ panel: 'transcription-code' })}
          />
        ) : (
          <p className="text-sm text-muted">This installation has no speech-to-text models.</p>
        )}
        {spoken ? (
          <SpeechPanel
            models={speaking}
            shown={spoken}
            mode={mode}
            mayStart={mayStart}
            settings={speech}
            onChange={(part) => {
              changeSpeech(part);
              if (part.modelId !== undefined) change({ tts: part.modelId }, 'replace');
            }}
            onTranscribe={(made) => {
              setClip(made);
              changeTranscription({ source: 'file' });
            }}
            onCode={() => change({ panel: 'speech-code' })}
          />
        ) : (
          <p className="text-sm text-muted">This installation has no text-to-speech models.</p>
        )}
      </div>
      {panel === 'transcription-code' && heard && (
        <CodeDrawer subject={{ heard, settings: transcription }} mode={mode} baseUrl={baseUrl} onClose={closePanel} />
      )}
      {panel === 'speech-code' && spoken && (
        <CodeDrawer subject={{ spoken, settings: speech }} mode={mode} baseUrl={baseUrl} onClose={closePanel} />
      )}
    </>
  );
}

function shownOf<Shown extends ShownModel<SttModel | TtsModel>>(
  models: readonly Shown[],
  id: string,
): Shown | undefined {
  return models.find(({ model }) => model.id === id) ?? models[0];
}
