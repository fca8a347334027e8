import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AudioError } from '../../../public/audio/patchbay-audio';
import { Button } from '../components/ui/button';
import { FormError } from '../components/ui/field';

/** An error of a session, with what the user can do about it. */
export interface SpeechError {
  readonly message: string;
  /** Connecting again may help. */
  readonly mayReconnect: boolean;
  /** There is no microphone, or the user did not allow it. */
  readonly isMicrophone?: boolean;
}

/**
 * Close codes and statuses of temporary failures: lost connection, restarting or overloaded server, failed provider.
 */
const PASSING: ReadonlySet<unknown> = new Set([1001, 1006, 1011, 1012, 1013, 502, 503]);

export function speechErrorOf(failure: unknown, otherwise: string): SpeechError {
  if (!(failure instanceof Error)) return { message: otherwise, mayReconnect: false };
  // Safe: errors of the audio library have a `code`; errors of the browser have none.
  const { code } = failure as Partial<AudioError>;
  return { message: failure.message, mayReconnect: PASSING.has(code), isMicrophone: code === 'microphone' };
}

/** Shows the error with a button to connect again, if that may help. `children` are further actions. */
export function SpeechErrorMessage({
  error,
  onReconnect,
  children,
}: {
  readonly error: SpeechError | undefined;
  readonly onReconnect: () => void;
  readonly children?: ReactNode;
}) {
  return (
    <div className={error ? 'flex flex-wrap items-center gap-3' : 'sr-only'}>
      <div className="min-w-0 grow">
        <FormError>{error?.message}</FormError>
      </div>
      {error?.mayReconnect && (
        <Button onClick={onReconnect}>
          <RotateCw size={14} aria-hidden="true" /> Connect again
        </Button>
      )}
      {error && children}
    </div>
  );
}
