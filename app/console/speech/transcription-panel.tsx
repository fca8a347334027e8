'use client';

import { AudioLines, Mic, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { transcribe, type Totals, type Transcription } from '../../../public/audio/patchbay-audio';
import { Button } from '../components/ui/button';
import { Card } from '../components/ui/card';
import { SelectField } from '../components/ui/select';
import { socketPaths } from '../paths';
import { IdleCountdown } from './idle-countdown';
import { openSample, type Recording } from './sample-recording';
import type { ShownModel } from './shown-model';
import { getTicket } from './socket-ticket';
import { SpeechErrorMessage, speechErrorOf, type SpeechError } from './speech-error';

type Phase = 'idle' | 'opening' | 'listening' | 'stopping';

type Source = 'microphone' | 'sample';

/** Live transcription: interim text is grey and replaced in place, final text is black. */
export function TranscriptionPanel({ models, mode }: { readonly models: readonly ShownModel[]; readonly mode: Mode }) {
  const [model, setModel] = useState(models[0]?.id ?? '');
  const [phase, setPhase] = useState<Phase>('idle');
  const [finals, setFinals] = useState<readonly string[]>([]);
  const [interim, setInterim] = useState('');
  const [level, setLevel] = useState(0);
  const [totals, setTotals] = useState<Totals>();
  const [error, setError] = useState<SpeechError>();
  const activeAt = useRef<number | undefined>(undefined);
  const source = useRef<Source>('microphone');
  const session = useRef<Transcription | undefined>(undefined);

  useEffect(() => () => session.current?.close(), []);

  async function start(from: Source, keepsText = false) {
    source.current = from;
    setPhase('opening');
    if (!keepsText) setFinals([]);
    setInterim('');
    setTotals(undefined);
    setError(undefined);
    let sample: Recording | undefined;
    try {
      sample = from === 'sample' ? await openSample() : undefined;
      session.current = await transcribe({
        url: socketPaths.transcriptions,
        token: () => getTicket('transcriptions', mode),
        model,
        ...(sample && { stream: sample.stream }),
        onLevel(loudness) {
          activeAt.current = new Date().getTime();
          setLevel(loudness);
        },
        onTranscript({ text, isFinal }) {
          if (isFinal) setFinals((before) => [...before, text]);
          setInterim(isFinal ? '' : text);
        },
        onEnd({ error: failure, totals: counted, reason }) {
          activeAt.current = undefined;
          sample?.close();
          setPhase('idle');
          setInterim('');
          setLevel(0);
          if (failure) setError(speechErrorOf(failure, ''));
          else if (reason === 'idle_timeout')
            setError({ message: 'The session ended after 60 seconds without audio. Start again.', mayReconnect: true });
          if (counted) setTotals(counted);
        },
      });
      setPhase('listening');
      if (!sample) return;
      await sample.play();
      await stop();
    } catch (failure) {
      sample?.close();
      setPhase('idle');
      setError(speechErrorOf(failure, 'Transcription failed. Try again.'));
    }
  }

  async function stop() {
    setPhase('stopping');
    await session.current?.stop().catch(() => undefined);
  }

  return (
    <Card className="p-5">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Speech-to-text model"
          className="w-full"
          value={model}
          disabled={phase !== 'idle'}
          onChange={(event) => setModel(event.target.value)}
        >
          {models.map((each) => (
            <option key={each.id} value={each.id} disabled={!each.available && mode === 'live'}>
              {each.name}
            </option>
          ))}
        </SelectField>
        {phase === 'listening' || phase === 'stopping' ? (
          <Button variant="danger" busy={phase === 'stopping'} onClick={() => void stop()}>
            <Square size={14} aria-hidden="true" /> Stop
          </Button>
        ) : (
          <Button variant="primary" busy={phase === 'opening'} onClick={() => void start('microphone')}>
            <Mic size={15} aria-hidden="true" /> Start listening
          </Button>
        )}
        <Button disabled={phase !== 'idle'} onClick={() => void start('sample')}>
          <AudioLines size={15} aria-hidden="true" /> Use a sample recording
        </Button>
      </div>
      <div className="mt-4 h-1 overflow-hidden rounded-full bg-hover" aria-hidden="true">
        <div
          className="h-full bg-accent transition-[width] duration-75"
          style={{ width: `${Math.min(100, level * 400)}%` }}
        />
      </div>
      <p aria-live="polite" className="mt-4 min-h-28 text-base leading-7" data-testid="transcript">
        {finals.map((text, index) => (
          <span key={index} data-final>
            {text}{' '}
          </span>
        ))}
        {interim && (
          <span data-interim className="text-muted">
            {interim}
          </span>
        )}
        {finals.length === 0 && !interim && (
          <span className="text-muted">
            {phase === 'listening' ? 'Say something.' : 'The transcript appears here.'}
          </span>
        )}
      </p>
      {totals && (
        <p className="text-sm text-muted" data-testid="totals">
          {totals.audioSeconds.toFixed(1)} s of audio in a session of {totals.sessionSeconds.toFixed(1)} s.
        </p>
      )}
      <IdleCountdown activeAt={activeAt} />
      <SpeechErrorMessage error={error} onReconnect={() => void start(source.current, true)} />
    </Card>
  );
}
