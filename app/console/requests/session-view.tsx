'use client';

import Link from 'next/link';
import type { SessionDetails } from '../../../lib/contract/requests';
import { Fact } from '../components/ui/facts';
import { linkClass } from '../components/ui/link-class';
import { grouped } from '../components/ui/numbers';
import { apiPaths, paths } from '../paths';
import { AnswerView, type AnswerWords } from './answer-view';

export function SessionView({ session }: { readonly session: SessionDetails }) {
  return <AnswerView details={session} apiPath={apiPaths.audioSession(session.id)} wordsOf={wordsOf} />;
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
