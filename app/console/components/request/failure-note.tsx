import { CircleAlert, CircleX } from 'lucide-react';
import { failureAdvice } from './failure-advice';
import { NotCharged } from './not-charged';

/** Explains why a request failed, what to do, and whether it was charged. `partial` means that it ended early. */
export function FailureNote({
  title,
  code,
  charged,
  partial = false,
}: {
  readonly title: string | undefined;
  readonly code: string | undefined;
  readonly charged: boolean;
  readonly partial?: boolean;
}) {
  const advice = failureAdvice(code);
  const Icon = partial ? CircleAlert : CircleX;
  return (
    <div
      aria-live="polite"
      className={`rounded-xl border p-5 ${partial ? 'border-warn/35 bg-warn/6' : 'border-bad/30 bg-bad/6'}`}
    >
      <div className="flex items-start gap-3">
        <Icon size={18} className={`mt-0.5 shrink-0 ${partial ? 'text-warn' : 'text-bad'}`} aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <p className="text-base font-medium break-words">{title}</p>
          {advice && <p className="mt-1 text-sm text-muted">{advice}</p>}
          <div className="mt-3 flex flex-wrap items-center gap-2 empty:hidden">
            {!charged && <NotCharged />}
            {code !== undefined && <code className="font-mono text-xs break-all text-muted">{code}</code>}
          </div>
        </div>
      </div>
    </div>
  );
}
