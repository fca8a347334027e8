'use client';

import { Pencil, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/ui/button';
import { classNames } from '../components/ui/class-names';
import type { Mode } from '../../../lib/domain/video';
import { isBlank, type Turn, type Lane, type Prompt, type ShownModel } from './conversation';
import { PromptEditor, Thumbnail } from './prompt-editor';
import { StepView } from './step-view';
import type { Conversation } from './use-conversation';

/** A prompt with its answers: one, or two side by side. */
export function TurnView({
  turn,
  number,
  isLast,
  conversation,
  models,
  mode,
  takesImages,
  mayEdit,
}: {
  readonly turn: Turn;
  readonly number: number;
  readonly isLast: boolean;
  readonly conversation: Conversation;
  readonly models: readonly ShownModel[];
  readonly mode: Mode;
  readonly takesImages: boolean;
  readonly mayEdit: boolean;
}) {
  const [edited, setEdited] = useState<Prompt>();
  const { isRunning, settingsProblem } = conversation;
  const shownLanes = ([0, 1] as const).filter((lane) => turn.lanes[lane].length > 0);
  const later = isLast ? '' : ' The turns after it are removed.';
  return (
    <section aria-label={`Turn ${number}`} className="flex flex-col gap-4">
      {edited ? (
        <PromptEditor
          label="Edit the prompt"
          prompt={edited}
          takesImages={takesImages}
          onChange={setEdited}
          onSend={() => sendEdited(edited)}
          actions={
            <>
              <Button size="small" variant="quiet" onClick={() => setEdited(undefined)}>
                Cancel
              </Button>
              <Button
                size="small"
                variant="primary"
                disabled={isRunning || isBlank(edited) || settingsProblem !== undefined}
                title={settingsProblem}
                onClick={() => sendEdited(edited)}
              >
                Send again
              </Button>
            </>
          }
        />
      ) : (
        <div className="group flex items-start justify-end gap-1">
          {mayEdit && (
            <Button
              variant="quiet"
              size="icon"
              disabled={isRunning}
              aria-label={`Edit prompt ${number}`}
              title={`Edit and send again.${later}`}
              onClick={() => setEdited(turn.prompt)}
            >
              <Pencil size={14} aria-hidden="true" />
            </Button>
          )}
          <div className="flex max-w-[85%] min-w-0 flex-col gap-2 rounded-xl bg-accent-soft px-3.5 py-2.5">
            {turn.prompt.images.length > 0 && (
              <div className="flex flex-wrap gap-2">
                {turn.prompt.images.map((image, index) => (
                  <Thumbnail key={index} image={image} />
                ))}
              </div>
            )}
            {turn.prompt.text !== '' && (
              <p className="leading-6 [overflow-wrap:anywhere] whitespace-pre-wrap">{turn.prompt.text}</p>
            )}
          </div>
        </div>
      )}
      <div
        className={classNames(
          'grid grid-cols-[minmax(0,1fr)] gap-4',
          shownLanes.length > 1 && '@2xl:grid-cols-[repeat(2,minmax(0,1fr))]',
        )}
      >
        {shownLanes.map((lane) => (
          <LaneView
            key={lane}
            turn={turn}
            lane={lane}
            isCompared={shownLanes.length > 1}
            isLast={isLast}
            conversation={conversation}
            models={models}
            mode={mode}
            mayEdit={mayEdit}
          />
        ))}
      </div>
    </section>
  );

  function sendEdited(prompt: Prompt) {
    if (isRunning || isBlank(prompt) || settingsProblem !== undefined) return;
    setEdited(undefined);
    conversation.edit(turn, prompt);
  }
}

/** The answers of one model to a prompt. There are several if the model calls tools. */
function LaneView({
  turn,
  lane,
  isCompared,
  isLast,
  conversation,
  models,
  mode,
  mayEdit,
}: {
  readonly turn: Turn;
  readonly lane: Lane;
  readonly isCompared: boolean;
  readonly isLast: boolean;
  readonly conversation: Conversation;
  readonly models: readonly ShownModel[];
  readonly mode: Mode;
  readonly mayEdit: boolean;
}) {
  const place = { turn, lane };
  const steps = turn.lanes[lane];
  const mayContinue = isLast && conversation.lanes.includes(lane) && !conversation.isRunning;
  const nameOf = (id: string) => models.find(({ model }) => model.id === id)?.model.name ?? id;
  return (
    <div
      className={classNames('flex min-w-0 flex-col gap-4', isCompared && 'rounded-xl border border-line p-3.5')}
      data-lane={lane}
    >
      {steps.map((step, index) => (
        <StepView
          key={step.id}
          step={step}
          name={nameOf(step.modelId)}
          mode={mode}
          isLast={mayContinue && index === steps.length - 1}
          mayEdit={mayEdit}
          wire={conversation.wireOf(step.id)}
          actions={{
            onStop: () => conversation.stop(step.id),
            onRetry: () => conversation.retry(place),
            onResult: (callId, result) => conversation.setResult(step.id, callId, result),
            onSendResults: () => conversation.sendResults(place),
          }}
        />
      ))}
      {mayEdit && conversation.lanes.includes(lane) && !conversation.isRunning && (
        <div>
          <Button
            size="small"
            variant="quiet"
            title={`Answers this prompt again.${isLast ? '' : ' The turns after it are removed.'}`}
            onClick={() => conversation.regenerate(place)}
          >
            <RefreshCw size={13} aria-hidden="true" /> Regenerate
          </Button>
        </div>
      )}
    </div>
  );
}
