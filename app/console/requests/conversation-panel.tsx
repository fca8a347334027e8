'use client';

import { MessagesSquare } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Fragment } from 'react';
import type { MessageContentJson } from '../../../lib/contract/requests';
import { Button } from '../components/ui/button';
import { FormError } from '../components/ui/field';
import { Panel } from '../components/ui/panel';
import { TimeAgo } from '../components/ui/time-ago';
import { useAsyncAction } from '../components/ui/use-async-action';
import { makeLink } from '../messages/share-link';
import { paths } from '../paths';
import { readTurns, type ShownPart } from './conversation-parts';

/** The stored request and answer of a message, for organisations that keep conversations. */
export function ConversationPanel({
  content: { request, answer, expires_at: expiresAt },
}: {
  readonly content: MessageContentJson;
}) {
  return (
    <Panel
      title="Conversation"
      description={
        <>
          Your organisation keeps conversations. This one is deleted <TimeAgo at={expiresAt} />.
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {request === null ? (
          <p className="text-sm text-muted">The request was too long to be kept.</p>
        ) : (
          readTurns(request).map(({ role, parts }, index) => <Turn key={index} from={role} parts={parts} />)
        )}
        {answer === null ? (
          <p className="text-sm text-muted">No answer is kept: none was delivered, or it was too long.</p>
        ) : (
          readTurns({ messages: [answer] }).map(({ parts }, index) => <Turn key={index} from="Answer" parts={parts} />)
        )}
        {request !== null && <OpenInPlayground request={request} />}
      </div>
    </Panel>
  );
}

function Turn({ from, parts }: { readonly from: string; readonly parts: readonly ShownPart[] }) {
  return (
    <section aria-label={from} className="min-w-0">
      <h3 className="mb-1 text-xs font-medium text-muted">{from}</h3>
      <div className="flex flex-col gap-2 text-sm">
        {parts.map((part, index) => (
          <Fragment key={index}>
            {part.kind === 'text' ? (
              <p className="break-words whitespace-pre-wrap">{part.text}</p>
            ) : (
              <details className="rounded-lg border border-line px-3 py-2">
                <summary className="cursor-pointer text-xs font-medium text-muted">{part.name}</summary>
                <pre className="mt-2 max-h-80 overflow-auto font-mono text-xs whitespace-pre-wrap">{part.text}</pre>
              </details>
            )}
          </Fragment>
        ))}
      </div>
    </section>
  );
}

function OpenInPlayground({ request }: { readonly request: Readonly<Record<string, unknown>> }) {
  const router = useRouter();
  const { busy, error, run } = useAsyncAction('The request could not be opened. Try again.', 'stay-busy');
  return (
    <div className="flex flex-col items-start gap-2">
      <FormError>{error}</FormError>
      <Button busy={busy} onClick={() => void run(async () => router.push(await makeLink(request, paths.messages())))}>
        <MessagesSquare size={14} aria-hidden="true" /> Open in the playground
      </Button>
    </div>
  );
}
