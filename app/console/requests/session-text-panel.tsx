'use client';

import type { SessionContentJson } from '../../../lib/contract/requests';
import { Panel } from '../components/ui/panel';
import { TimeAgo } from '../components/ui/time-ago';

/** The transcribed or spoken text of a session, for organisations that keep it. */
export function SessionTextPanel({
  content: { text, expires_at: expiresAt },
  isSpeech,
}: {
  readonly content: SessionContentJson;
  readonly isSpeech: boolean;
}) {
  return (
    <Panel
      title={isSpeech ? 'Text to be spoken' : 'Transcribed text'}
      description={
        <>
          Your organisation keeps the texts of speech. This one is deleted <TimeAgo at={expiresAt} />.
        </>
      }
    >
      {text === null ? (
        <p className="text-sm text-muted">
          {isSpeech
            ? 'The text was too long to be kept.'
            : 'No text is kept: nothing was transcribed, or it was too long.'}
        </p>
      ) : (
        <p className="max-h-96 overflow-auto text-sm break-words whitespace-pre-wrap">{text}</p>
      )}
    </Panel>
  );
}
