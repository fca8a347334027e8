'use client';

import { ArrowUp, Square } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useRefusal } from '../components/shell/organization';
import { Button } from '../components/ui/button';
import { FormError } from '../components/ui/field';
import { focusOnArrival } from '../components/ui/focus-on-arrival';
import { Kbd } from '../components/ui/kbd';
import { isBlank } from './conversation';
import { PromptEditor } from './prompt-editor';
import type { Conversation } from './use-conversation';

/** The field for the next prompt with the Send button. Below them is the price, or why the prompt cannot be sent. */
export function Composer({
  conversation,
  field,
  takesImages,
  mayEdit,
  estimates,
}: {
  readonly conversation: Conversation;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Whether every model of the conversation accepts images. */
  readonly takesImages: boolean;
  readonly mayEdit: boolean;
  readonly estimates: ReactNode;
}) {
  const refusal = useRefusal('send messages');
  const { prompt, turns, isRunning, settingsProblem } = conversation;
  const send = () => {
    if (mayEdit && !isRunning && !isBlank(prompt) && settingsProblem === undefined) conversation.submit(prompt);
  };
  return (
    <div className="sticky bottom-0 z-10 -mx-1 flex flex-col gap-2 bg-canvas px-1 pt-2 pb-4">
      <PromptEditor
        label="Prompt"
        field={field}
        prompt={prompt}
        takesImages={takesImages}
        placeholder={turns.length === 0 ? 'Write a prompt' : 'Write the next prompt'}
        onChange={(changed) => conversation.change({ prompt: changed })}
        onSend={send}
        actions={
          isRunning ? (
            <Button
              variant="danger"
              size="small"
              onClick={() => {
                conversation.stop();
                focusOnArrival(field.current);
              }}
            >
              <Square size={12} aria-hidden="true" /> Stop <Kbd keys={['Esc']} />
            </Button>
          ) : (
            <Button
              variant="primary"
              size="small"
              disabled={!mayEdit || isBlank(prompt) || settingsProblem !== undefined}
              aria-describedby="send-reason"
              data-testid="send"
              onClick={() => {
                send();
                // The Send button disappears, and the next prompt is written in this field.
                focusOnArrival(field.current);
              }}
            >
              <ArrowUp size={14} aria-hidden="true" /> Send
            </Button>
          )
        }
      />
      <FormError>{conversation.problem}</FormError>
      <div id="send-reason" className="flex min-h-5 flex-col gap-1 text-xs text-muted">
        {mayEdit && settingsProblem !== undefined ? (
          <p className="text-bad">{settingsProblem}</p>
        ) : mayEdit ? (
          estimates
        ) : (
          refusal
        )}
      </div>
    </div>
  );
}
