'use client';

import { AudioLines } from 'lucide-react';
import Link from 'next/link';
import { useMemo, useState, type ReactNode } from 'react';
import { costOfCharacters, costOfMillis, minutePrice } from '../../../lib/billing/quote-audio';
import type { SttModel, TtsModel } from '../../../lib/domain/model';
import type { ProviderId } from '../../../lib/domain/ids';
import { priceText, usdText } from '../../../lib/domain/money';
import type { QuoteJson } from '../../../lib/contract/quotes';
import { countCharacters } from '../../../lib/domain/speech';
import type { Mode } from '../../../lib/domain/video';
import { CodeTabs } from '../components/code/code-tabs';
import { speechSamples, transcriptionSamples } from '../components/code/socket-samples';
import { buttonClass } from '../components/ui/button-class';
import { Section } from '../components/ui/card';
import { Select } from '../components/ui/select';
import { TextArea } from '../components/ui/text-area';
import { paths } from '../paths';
import { bindingOf } from './binding-of';
import { NumberField } from './number-field';
import { ProviderChoice } from './provider-choice';
import { QuotePanel } from './quote-panel';

interface WorkbenchProps<Model> {
  readonly model: Model;
  readonly offered: readonly ProviderId[];
  readonly pin?: ProviderId | undefined;
  readonly mode: Mode;
  readonly baseUrl: string;
}

/** The price of speech by its characters, and a session as code. */
export function SpeakWorkbench({ model, offered, pin, mode, baseUrl }: WorkbenchProps<TtsModel>) {
  const { tts } = model;
  const [provider, setProvider] = useState(pin);
  const [input, setInput] = useState('The boat is on the lake, and the lake is quiet.');
  const [voice, setVoice] = useState(tts.voices[0]?.name ?? '');
  const [format, setFormat] = useState('pcm_24000');
  const binding = bindingOf(model.bindings, provider, offered, mode);
  const samples = useMemo(() => {
    const name = provider === undefined ? model.id : `${provider}/${model.id}`;
    const message = {
      type: 'tts',
      model: name,
      voice,
      input,
      ...(format === 'pcm_24000' ? {} : { output_format: format }),
    };
    return speechSamples({ baseUrl, message });
  }, [baseUrl, format, input, model.id, provider, voice]);
  if (!binding) return null;
  const characters = countCharacters(input);
  const quote = oneLine(
    'characters',
    binding.price.perCharacter,
    String(characters),
    usdText(costOfCharacters(binding.price.perCharacter, characters)),
  );
  return (
    <Bench
      quote={quote}
      provider={binding.providerId}
      note="Charged when the first audio arrives."
      tryPath={paths.speech({ tts: model.id })}
      code={
        <CodeTabs label="Synthesize speech" samples={samples} mode={mode} note={<p>Writes raw audio, {format}.</p>} />
      }
    >
      <ProviderChoice bindings={model.bindings} offered={offered} value={provider} onChange={setProvider} />
      <TextArea
        label={
          <>
            Text{' '}
            <span className="font-normal text-muted tabular-nums">{characters.toLocaleString('en')} characters</span>
          </>
        }
        rows={4}
        className="resize-y"
        maxLength={tts.maxInputCharacters}
        value={input}
        onChange={(event) => setInput(event.target.value)}
      />
      <div className="grid grid-cols-2 gap-3">
        <Select
          label="Voice"
          shown
          value={voice}
          onChange={setVoice}
          options={tts.voices.map(({ name, description }) => ({
            value: name,
            label: description ? `${name}: ${description}` : name,
          }))}
        />
        <Select
          label="Format"
          shown
          value={format}
          onChange={setFormat}
          options={tts.formats.map((each) => ({ value: each, label: each }))}
        />
      </div>
    </Bench>
  );
}

const BYTES_PER_SAMPLE: Readonly<Record<string, number>> = { pcm_s16le: 2, pcm_f32le: 4, pcm_mulaw: 1, pcm_alaw: 1 };
const DETECT = '';

/** The price of a transcription by its minutes, and a session as code. */
export function ListenWorkbench({ model, offered, pin, mode, baseUrl }: WorkbenchProps<SttModel>) {
  const { stt } = model;
  const [provider, setProvider] = useState(pin);
  const [minutes, setMinutes] = useState(10);
  const [seconds, setSeconds] = useState(0);
  const [encoding, setEncoding] = useState<string>('pcm_s16le');
  const [rate, setRate] = useState(stt.sampleRatesHz.includes(16_000) ? 16_000 : (stt.sampleRatesHz[0] ?? 16_000));
  const [language, setLanguage] = useState('detects' in stt.withoutLanguage ? DETECT : stt.withoutLanguage.assumes);
  const binding = bindingOf(model.bindings, provider, offered, mode);
  const samples = useMemo(() => {
    const name = provider === undefined ? model.id : `${provider}/${model.id}`;
    const message = {
      type: 'configure',
      model: name,
      encoding,
      sample_rate: rate,
      ...(language === DETECT ? {} : { language }),
    };
    return transcriptionSamples({ baseUrl, message, bytesPerSecond: rate * (BYTES_PER_SAMPLE[encoding] ?? 2) });
  }, [baseUrl, encoding, language, model.id, provider, rate]);
  if (!binding) return null;
  const price = minutePrice(binding.price, language !== DETECT);
  const millis = (minutes * 60 + seconds) * 1000;
  const quote = oneLine(
    `${minutes} min ${seconds} s of audio`,
    price,
    (millis / 60_000).toFixed(3).replace(/\.?0+$/, ''),
    usdText(costOfMillis(price, millis)),
  );
  return (
    <Bench
      quote={quote}
      provider={binding.providerId}
      note="Charged per millisecond of audio."
      tryPath={paths.speech({ stt: model.id })}
      code={
        <CodeTabs
          label="Transcribe audio"
          samples={samples}
          mode={mode}
          note={
            <p>
              Reads raw mono audio from <code className="font-mono">sound.pcm</code>:{' '}
              <code className="font-mono break-all">
                ffmpeg -i speech.mp3 -f {FFMPEG[encoding] ?? 's16le'} -ar {rate} -ac 1 sound.pcm
              </code>
            </p>
          }
        />
      }
    >
      <ProviderChoice bindings={model.bindings} offered={offered} value={provider} onChange={setProvider} />
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label="Minutes"
          value={minutes}
          max={Math.floor(stt.maxSessionSeconds / 60)}
          onChange={setMinutes}
        />
        <NumberField label="Seconds" value={seconds} max={59} onChange={setSeconds} />
        <Select
          label="Encoding"
          shown
          value={encoding}
          onChange={setEncoding}
          options={stt.encodings.map((each) => ({ value: each, label: each }))}
        />
        <Select
          label="Sample rate"
          shown
          value={String(rate)}
          onChange={(value) => setRate(Number(value))}
          options={stt.sampleRatesHz.map((each) => ({ value: String(each), label: `${each.toLocaleString('en')} Hz` }))}
        />
        <Select
          label="Language"
          shown
          value={language}
          onChange={setLanguage}
          options={[
            ...('detects' in stt.withoutLanguage ? [{ value: DETECT, label: 'Detect' }] : []),
            ...stt.languages.map((each) => ({ value: each, label: each })),
          ]}
        />
      </div>
    </Bench>
  );
}

const FFMPEG: Readonly<Record<string, string>> = {
  pcm_s16le: 's16le',
  pcm_f32le: 'f32le',
  pcm_mulaw: 'mulaw',
  pcm_alaw: 'alaw',
};

function Bench({
  quote,
  provider,
  note,
  code,
  tryPath,
  children,
}: {
  readonly quote: QuoteJson;
  readonly provider: string;
  readonly note: string;
  readonly code: ReactNode;
  /** The URL of the speech playground with this model. */
  readonly tryPath: string;
  readonly children: ReactNode;
}) {
  return (
    <Section
      id="price"
      title="Price and code"
      actions={
        <Link href={tryPath} prefetch={false} className={buttonClass({})}>
          <AudioLines size={14} aria-hidden="true" /> Try it in Speech
        </Link>
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          {children}
          <QuotePanel quote={quote} provider={provider} note={note} />
        </div>
        {code}
      </div>
    </Section>
  );
}

function oneLine(label: string, price: bigint, quantity: string, total: string): QuoteJson {
  return { currency: 'USD', lines: [{ label, unit_price: priceText(price), quantity, amount: total }], total };
}
