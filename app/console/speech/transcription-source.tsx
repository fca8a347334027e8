'use client';

import { FileAudio, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../components/ui/button';
import { Dropzone } from '../components/ui/dropzone';
import { SegmentedControl } from '../components/ui/segmented-control';
import { Select } from '../components/ui/select';
import { clipSeconds, type Clip } from './clip';
import { sampleTexts } from './samples';
import type { TranscriptionSettings } from './transcription-settings';

const PACES = [1, 2, 4, 16];

/** Selects what to transcribe: a microphone, a sample recording or a file. */
export function TranscriptionSource({
  settings,
  clip,
  hasSamples,
  disabled,
  onChange,
  onFile,
}: {
  readonly settings: TranscriptionSettings;
  /** The chosen file, or the audio of a text that the page has spoken. */
  readonly clip: Clip | undefined;
  readonly hasSamples: boolean;
  readonly disabled: boolean;
  onChange(part: Partial<TranscriptionSettings>): void;
  onFile(file: File | undefined): void;
}) {
  const { source } = settings;
  const locked = disabled ? 'Stop the session first.' : undefined;
  return (
    <div className="flex flex-col gap-3">
      <SegmentedControl<TranscriptionSettings['source']>
        legend="Audio source"
        value={source}
        options={[
          { value: 'microphone', label: 'Microphone', disabledReason: locked },
          {
            value: 'sample',
            label: 'Sample',
            disabledReason: hasSamples ? locked : 'The samples are spoken by sandbox-tts, which is not in the catalog.',
          },
          { value: 'file', label: 'File', disabledReason: locked },
        ]}
        onChange={(chosen) => onChange({ source: chosen })}
      />
      {source === 'microphone' && <MicrophoneChoice value={settings.deviceId} onChange={onChange} />}
      {source === 'sample' && (
        <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-3">
          <Select
            label="Recording"
            shown
            value={settings.sample}
            onChange={(sample) => onChange({ sample })}
            options={sampleTexts.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <PaceChoice value={settings.pace} onChange={onChange} />
          <p className="col-span-2 text-xs text-muted">Spoken by the sandbox on this machine, with test credits.</p>
        </div>
      )}
      {source === 'file' &&
        (clip ? (
          <div className="grid grid-cols-[minmax(0,1fr)_7rem] items-end gap-3">
            <div className="flex h-9 min-w-0 items-center gap-2 rounded-lg border border-line pl-3 text-sm max-sm:h-11">
              <FileAudio size={15} aria-hidden="true" className="shrink-0 text-muted" />
              <span className="min-w-0 grow truncate">{clip.name}</span>
              <span className="shrink-0 text-xs text-muted tabular-nums">{clipSeconds(clip).toFixed(1)} s</span>
              <Button
                variant="quiet"
                size="icon"
                aria-label="Remove the file"
                disabled={disabled}
                onClick={() => onFile(undefined)}
              >
                <X size={14} aria-hidden="true" />
              </Button>
            </div>
            <PaceChoice value={settings.pace} onChange={onChange} />
          </div>
        ) : (
          <Dropzone label="Choose a recording" accept="audio/*,.wav" className="h-20" onFile={onFile}>
            <span className="font-medium text-ink">Choose a WAV file, or drop it here</span>
            <span>The file stays in this browser; only its audio is sent to the model.</span>
          </Dropzone>
        ))}
    </div>
  );
}

function PaceChoice({
  value,
  onChange,
}: {
  readonly value: number;
  onChange(part: Partial<TranscriptionSettings>): void;
}) {
  return (
    <Select
      label="Pace"
      shown
      value={String(value)}
      onChange={(pace) => onChange({ pace: Number(pace) })}
      options={PACES.map((pace) => ({ value: String(pace), label: pace === 1 ? 'Real time' : `${pace}× faster` }))}
    />
  );
}

/**
 * Selects a microphone. Browsers list the microphones only after the user has allowed one; before that there is no
 * choice.
 */
function MicrophoneChoice({
  value,
  onChange,
}: {
  readonly value: string;
  onChange(part: Partial<TranscriptionSettings>): void;
}) {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    // Absent outside of https and localhost.
    const media = navigator.mediaDevices as MediaDevices | undefined;
    if (!media) return;
    const read = () =>
      void media.enumerateDevices().then(
        (found) => setDevices(found.filter(({ kind, deviceId, label }) => kind === 'audioinput' && deviceId && label)),
        () => undefined,
      );
    read();
    media.addEventListener('devicechange', read);
    return () => media.removeEventListener('devicechange', read);
  }, []);
  if (devices.length < 2) return null;
  return (
    <Select
      label="Microphone"
      shown
      value={devices.some(({ deviceId }) => deviceId === value) ? value : ''}
      onChange={(deviceId) => onChange({ deviceId })}
      options={[
        { value: '', label: 'Default of the browser' },
        ...devices
          .filter(({ deviceId }) => deviceId !== 'default')
          .map(({ deviceId, label }) => ({ value: deviceId, label })),
      ]}
    />
  );
}
