'use client';

import { Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { openSpeaker, type Speaker } from '../../../public/audio/patchbay-audio';
import { Button } from '../components/ui/button';
import { Card } from '../components/ui/card';
import { SelectField } from '../components/ui/select';
import { TextArea } from '../components/ui/text-area';
import { socketPaths } from '../paths';
import { IdleCountdown } from './idle-countdown';
import type { ShownModel } from './shown-model';
import { getTicket } from './socket-ticket';
import { SpeechErrorMessage, speechErrorOf, type SpeechError } from './speech-error';

/** Speaks a text while it is being synthesized. A new text stops the previous one. */
export function SpeechPanel({ models, mode }: { readonly models: readonly ShownModel[]; readonly mode: Mode }) {
  const [modelId, setModelId] = useState(models[0]?.id ?? '');
  const model = models.find((each) => each.id === modelId);
  const [voice, setVoice] = useState(model?.voices[0] ?? '');
  const [input, setInput] = useState(
    'Hello. This is Patchbay, and every sentence is spoken while the next one is generated.',
  );
  const [isSpeaking, setIsSpeaking] = useState(false);
  const [firstSoundMs, setFirstSoundMs] = useState<number>();
  const [error, setError] = useState<SpeechError>();
  const activeAt = useRef<number | undefined>(undefined);
  const speaker = useRef<Speaker | undefined>(undefined);
  const turn = useRef(0);
  const askedAt = useRef(0);

  useEffect(() => () => void speaker.current?.close(), []);

  async function speak() {
    const mine = ++turn.current;
    setIsSpeaking(true);
    setFirstSoundMs(undefined);
    setError(undefined);
    askedAt.current = performance.now();
    try {
      speaker.current ??= await openSpeaker({
        url: socketPaths.speech,
        token: () => getTicket('speech', mode),
        onChunk() {
          activeAt.current = new Date().getTime();
          setFirstSoundMs((known) => known ?? performance.now() - askedAt.current);
        },
        // A pending `speak` reports the error itself; otherwise the next text opens a new connection.
        onEnd() {
          activeAt.current = undefined;
          speaker.current = undefined;
        },
      });
      activeAt.current = new Date().getTime();
      await speaker.current.speak({ model: modelId, input, voice });
    } catch (failure) {
      if (mine === turn.current) setError(speechErrorOf(failure, 'Speech synthesis failed. Try again.'));
    }
    if (mine === turn.current) setIsSpeaking(false);
  }

  function cancel() {
    activeAt.current = new Date().getTime();
    speaker.current?.cancel();
  }

  return (
    <Card className="p-5">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Text-to-speech model"
          className="min-w-52 grow"
          value={modelId}
          onChange={(event) => {
            setModelId(event.target.value);
            setVoice(models.find((each) => each.id === event.target.value)?.voices[0] ?? '');
          }}
        >
          {models.map((each) => (
            <option key={each.id} value={each.id} disabled={!each.available && mode === 'live'}>
              {each.name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Voice"
          className="min-w-28"
          value={voice}
          onChange={(event) => setVoice(event.target.value)}
        >
          {model?.voices.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="mt-4">
        <TextArea label="Text" rows={4} value={input} onChange={(event) => setInput(event.target.value)} />
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button variant="primary" disabled={input.trim() === ''} onClick={() => void speak()}>
          <Play size={14} aria-hidden="true" /> Speak
        </Button>
        {isSpeaking && (
          <Button onClick={cancel}>
            <Square size={14} aria-hidden="true" /> Cancel
          </Button>
        )}
        {firstSoundMs !== undefined && (
          <span className="text-sm text-muted" data-testid="first-sound">
            First audio after {Math.round(firstSoundMs)} ms.
          </span>
        )}
      </div>
      <IdleCountdown activeAt={activeAt} />
      <SpeechErrorMessage error={error} onReconnect={() => void speak()} />
    </Card>
  );
}
