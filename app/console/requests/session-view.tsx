'use client';

import Link from 'next/link';
import type { SessionContentJson, SessionDetails } from '../../../lib/contract/requests';
import { Fact } from '../components/ui/facts';
import { linkClass } from '../components/ui/link-class';
import { grouped } from '../components/ui/numbers';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { AnswerView, type AnswerWords } from './answer-view';
import { SessionTextPanel } from './session-text-panel';

export function SessionView({
  session,
  content,
}: {
  readonly session: SessionDetails;
  /** Undefined: the text is not kept. */
  readonly content: SessionContentJson | undefined;
}) {
  return (
    <AnswerView
      details={session}
      apiPath={apiPaths.audioSession(session.id)}
      wordsOf={wordsOf}
      content={content && <SessionTextPanel content={content} isSpeech={session.kind === 'speech'} />}
    />
  );
}

function wordsOf({ kind, seconds, characters, request_id, mode }: SessionDetails): AnswerWords {
  const isSpeech = kind === 'speech';
  return {
    noun: isSpeech ? 'spoken text' : 'transcription',
    firstResult: isSpeech ? 'First audio' : 'First text',
    idName: isSpeech ? 'Context id' : 'Transcription id',
    requestIdName: 'Session id',
    facts: (
      <>
        {isSpeech ? (
          <Fact name="Characters">{grouped(characters ?? 0)}</Fact>
        ) : (
          <Fact name="Charged audio">{(seconds ?? 0).toLocaleString('en', { maximumFractionDigits: 3 })} s</Fact>
        )}
        <Fact name="Session">
          <Link href={paths.requests({ mode, q: request_id })} prefetch={false} className={linkClass}>
            All of this session
          </Link>
        </Fact>
      </>
    ),
  };
}
