import { RotateCw } from 'lucide-react';
import type { AudioError } from '../../../public/audio/patchbay-audio';
import { Button } from '../components/ui/button';
import { FormError } from '../components/ui/field';

/** A socket error, and whether reconnecting may help. */
export interface SpeechError {
  readonly message: string;
  readonly mayReconnect: boolean;
}

/**
 * Close codes and statuses of temporary failures: lost connection, restarting or overloaded server, failed provider.
 */
const PASSING: ReadonlySet<unknown> = new Set([1001, 1006, 1011, 1012, 1013, 502, 503]);

export function speechErrorOf(failure: unknown, otherwise: string): SpeechError {
  if (!(failure instanceof Error)) return { message: otherwise, mayReconnect: false };
  // Safe: errors of the audio library have a `code`; errors of the browser have none.
  const { code } = failure as Partial<AudioError>;
  return { message: failure.message, mayReconnect: PASSING.has(code) };
}

export function SpeechErrorMessage({
  error,
  onReconnect,
}: {
  readonly error: SpeechError | undefined;
  readonly onReconnect: () => void;
}) {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <div className="min-w-0 grow">
        <FormError>{error?.message}</FormError>
      </div>
      {error?.mayReconnect && (
        <Button onClick={onReconnect}>
          <RotateCw size={14} aria-hidden="true" /> Connect again
        </Button>
      )}
    </div>
  );
}
