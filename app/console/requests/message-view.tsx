'use client';

import dynamic from 'next/dynamic';
import type { MessageContentJson, MessageDetails } from '../../../lib/contract/requests';
import { Fact } from '../components/ui/facts';
import { grouped } from '../components/ui/numbers';
import { partOnDemand } from '../components/ui/part-on-demand';
import { apiPaths } from '../api-paths';
import { AnswerView, Nothing, type AnswerWords } from './answer-view';

const ConversationPanel = partOnDemand(() =>
  dynamic(() => import('./conversation-panel').then((module) => module.ConversationPanel)),
);

export function MessageView({
  message,
  content,
}: {
  readonly message: MessageDetails;
  /** Undefined: the conversation is not kept. */
  readonly content: MessageContentJson | undefined;
}) {
  return (
    <AnswerView
      details={message}
      apiPath={apiPaths.message(message.id)}
      wordsOf={wordsOf}
      content={content && <ConversationPanel content={content} />}
    />
  );
}

function wordsOf({ tokens, streamed, stop_reason, web_searches }: MessageDetails): AnswerWords {
  const about = tokens.estimated ? '≈ ' : '';
  return {
    noun: 'message',
    firstResult: 'First token',
    idName: 'Message id',
    requestIdName: 'Request id',
    facts: (
      <>
        <Fact name="Input tokens">
          {about}
          {grouped(tokens.input)}
        </Fact>
        <Fact name="Read from cache">{grouped(tokens.cache_read)}</Fact>
        <Fact name="Written to cache">{grouped(tokens.cache_write)}</Fact>
        <Fact name="Output tokens">
          {about}
          {grouped(tokens.output)}
        </Fact>
        {tokens.estimated && (
          <div className="col-span-full text-xs text-muted">
            The provider did not report all tokens, so some counts are estimates.
          </div>
        )}
        <Fact name="Response">{streamed ? 'Streamed' : 'Not streamed'}</Fact>
        <Fact name="Stop reason">
          {stop_reason === undefined ? <Nothing /> : <code className="font-mono text-xs">{stop_reason}</code>}
          {web_searches > 0 && (
            <span className="block text-xs text-muted">
              {web_searches === 1 ? '1 web search' : `${grouped(web_searches)} web searches`}
            </span>
          )}
        </Fact>
      </>
    ),
  };
}
