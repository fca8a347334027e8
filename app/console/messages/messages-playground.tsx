'use client';

import { ArrowUp, Code, Plus, SlidersHorizontal, Square } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { AlertListJson } from '../../../lib/contract/alerts';
import type { Mode } from '../../../lib/domain/video';
import { LowBalanceNote } from '../components/credits/low-balance-note';
import { useRefusal } from '../components/shell/organization';
import { Button } from '../components/ui/button';
import { Drawer } from '../components/ui/drawer';
import { FormError } from '../components/ui/field';
import { focusOnArrival } from '../components/ui/focus-on-arrival';
import { Kbd } from '../components/ui/kbd';
import { useUrlState } from '../components/ui/use-url-state';
import { modelName, settingsFor, textOf, type Lane, type Settings, type ShownModel, type Step } from './conversation';
import { EmptyConversation } from './empty-conversation';
import { EstimateLine } from './estimate-line';
import { TurnView, isBlank } from './turn-view';
import { PromptEditor } from './prompt-editor';
import { readRequest } from './read-request';
import { requestBody, type RequestBody } from './request';
import { SettingsPanel } from './settings-panel';
import { ShareButton } from './share-button';
import { hasRequest, readLink } from './share-link';
import { newId, useConversation, type Conversation } from './use-conversation';
import { PageHeading } from '../components/ui/page-heading';
import { onDemand } from '../components/ui/on-demand';

const CodeDrawer = onDemand(() => import('./code-drawer').then((module) => module.CodeDrawer));

/** Within this distance of the end of the page the reader follows the answer. */
const NEAR_END_PX = 120;

export interface MessagesPlaygroundProps {
  readonly mode: Mode;
  readonly baseUrl: string;
  readonly mayEdit: boolean;
  readonly models: readonly ShownModel[];
  readonly alerts: AlertListJson;
  /** For how many days the organisation keeps conversations; null: not at all. */
  readonly keptDays: number | null;
  /** The model of the URL. */
  readonly initialModel?: Pick<Settings, 'modelId' | 'provider'>;
  /** The URL names a model that does not exist. */
  readonly initialProblem?: string;
}

/** A conversation with one model, or with two side by side. */
export function MessagesPlayground({
  mode,
  baseUrl,
  mayEdit,
  models,
  alerts,
  keptDays,
  initialModel,
  initialProblem,
}: MessagesPlaygroundProps) {
  const { query, change } = useUrlState();
  const conversation = useConversation(models, initialModel, mode);
  const refusal = useRefusal('send messages');
  const [shareProblem, setShareProblem] = useState(initialProblem);
  const composer = useRef<HTMLTextAreaElement>(null);
  const isAtEnd = useRef(true);
  const { settings, settingsProblem, prompt, turns, isRunning, left } = conversation;
  const panel = query.get('panel');
  const shownOf = (lane: Lane) => models.find(({ model }) => model.id === conversation.settingsOf(lane)?.modelId);
  const shown = shownOf(0) ?? models[0];

  const next = [nextRequest(0), nextRequest(1)];
  const [first] = next;

  /** The request of the prompt that is being written. Without one, the last request: to share it, and as code. */
  function nextRequest(lane: Lane): { readonly body?: RequestBody; readonly problem?: string } {
    const own = conversation.settingsOf(lane);
    const model = shownOf(lane)?.model;
    if (!own || !model) return {};
    const isWriting = !isBlank(prompt);
    const sent = isWriting ? prompt : turns.at(-1)?.prompt;
    if (!sent) return { problem: 'Write a prompt first.' };
    try {
      return { body: requestBody(own, model, lane, isWriting ? turns : turns.slice(0, -1), sent) };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : 'There is no request yet.' };
    }
  }

  const openRequest = useEffectEvent((body: unknown) => conversation.replace(readRequest(body, models, newId)));
  useEffect(() => {
    const open = () => {
      const { hash } = window.location;
      if (!hasRequest(hash)) return;
      // The page has the request then; in the URL it would replace later changes at a reload.
      window.history.replaceState(null, '', window.location.pathname + window.location.search);
      readLink(hash)
        .then((body) => openRequest(body))
        .then(
          () => setShareProblem(undefined),
          (error: unknown) =>
            setShareProblem(error instanceof Error ? error.message : 'The request of this link cannot be read.'),
        );
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, []);

  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isRunning) return;
    if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
    event.preventDefault();
    conversation.stop();
  });
  useEffect(() => {
    window.addEventListener('keydown', onEscape);
    return () => window.removeEventListener('keydown', onEscape);
  }, []);
  useEffect(() => {
    const onScroll = () => {
      isAtEnd.current = restBelow() < NEAR_END_PX;
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  useEffect(() => {
    if (turns.length > 0) scrollToEnd();
  }, [turns.length]);
  useEffect(() => {
    // Follows the answer, unless the reader has scrolled up.
    if (turns.length > 0 && isAtEnd.current) scrollToEnd();
  }, [turns]);

  if (!shown) return <p className="text-sm text-muted">This installation has no text models.</p>;

  const opponent = shownOf(1);
  const takesImages = [shown, ...(opponent ? [opponent] : [])].every(
    ({ model }) => model.messages.imageMaxEdgePixels !== undefined,
  );
  const send = () => {
    if (mayEdit && !isRunning && !isBlank(prompt) && settingsProblem === undefined) conversation.submit(prompt);
  };
  const settingsPanel = (
    <SettingsPanel
      conversation={conversation}
      models={models}
      shown={shown}
      opponent={opponent}
      mode={mode}
      onModel={(modelId) => {
        const { provider: _former, ...others } = settings;
        const chosen = models.find(({ model }) => model.id === modelId)?.model;
        conversation.change({ settings: settingsFor({ ...others, modelId }, chosen) });
        change({ model: modelId }, 'replace');
        setShareProblem(undefined);
      }}
    />
  );

  return (
    <div className="@container">
      <PageHeading
        title="Messages"
        actions={
          <div className="flex flex-wrap gap-2">
            <Button className="@3xl:hidden" onClick={() => change({ panel: 'settings' })}>
              <SlidersHorizontal size={15} aria-hidden="true" /> Settings
            </Button>
            {turns.length > 0 && (
              <Button
                disabled={isRunning}
                onClick={() => {
                  conversation.clear();
                  composer.current?.focus();
                }}
              >
                <Plus size={15} aria-hidden="true" /> New
              </Button>
            )}
            <ShareButton body={first?.body} onError={setShareProblem} />
            <Button onClick={() => change({ panel: 'code' })}>
              <Code size={15} aria-hidden="true" /> View code
            </Button>
          </div>
        }
      />
      <LowBalanceNote mode={mode} initial={alerts} />
      <div className="mb-4 empty:hidden">{shareProblem && <FormError>{shareProblem}</FormError>}</div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 @3xl:grid-cols-[19rem_minmax(0,1fr)] @5xl:grid-cols-[22rem_minmax(0,1fr)]">
        <section
          aria-label="Settings"
          className="top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto p-1 @max-3xl:hidden @3xl:sticky"
        >
          {panel !== 'settings' && settingsPanel}
        </section>
        <section aria-label="Conversation" className="flex min-w-0 flex-col gap-6">
          {left.length > 0 && (
            <div className="rounded-lg border border-warn/35 bg-warn/8 px-3 py-2.5 text-sm">
              <p className="font-medium">Some parts of the request could not be opened:</p>
              <ul className="mt-1 list-disc pl-5">
                {left.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            </div>
          )}
          {turns.length === 0 && (
            <EmptyConversation
              model={shown.model}
              mode={mode}
              keptDays={keptDays}
              onExample={(part) => {
                conversation.change({ settings: { ...settings, ...part.settings }, prompt: part.prompt });
                composer.current?.focus();
              }}
            />
          )}
          {turns.map((turn, index) => (
            <TurnView
              key={turn.id}
              turn={turn}
              number={index + 1}
              isLast={index === turns.length - 1}
              conversation={conversation}
              models={models}
              mode={mode}
              takesImages={takesImages}
              mayEdit={mayEdit}
            />
          ))}
          <div className="sticky bottom-0 z-10 -mx-1 flex flex-col gap-2 bg-canvas px-1 pt-2 pb-4">
            <PromptEditor
              label="Prompt"
              field={composer}
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
                      focusOnArrival(composer.current);
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
                      // The button goes away, and the next prompt is written here.
                      focusOnArrival(composer.current);
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
                <Estimates
                  conversation={conversation}
                  bodies={next.map(({ body }) => body)}
                  shownOf={shownOf}
                  mode={mode}
                />
              ) : (
                refusal
              )}
            </div>
          </div>
        </section>
      </div>
      <Announcement steps={turns.at(-1)?.lanes.flat() ?? []} />

      {panel === 'code' && (
        <CodeDrawer
          body={first?.body}
          problem={first?.problem}
          models={models}
          mode={mode}
          baseUrl={baseUrl}
          onImport={(read) => {
            conversation.replace(read);
            change({ panel: undefined, model: modelName(read.settings) }, 'replace');
          }}
          onClose={() => change({ panel: undefined }, 'replace')}
        />
      )}
      {panel === 'settings' && (
        <Drawer open onOpenChange={() => change({ panel: undefined }, 'replace')} title="Settings">
          {settingsPanel}
        </Drawer>
      )}
    </div>
  );
}

/** How much of the page is below the window, in pixels. */
function restBelow(): number {
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  return scrollHeight - scrollTop - clientHeight;
}

function scrollToEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}

/** The tokens and the price of the prompt that is being written; nothing while there is none. */
function Estimates({
  conversation,
  bodies,
  shownOf,
  mode,
}: {
  readonly conversation: Conversation;
  readonly bodies: readonly (RequestBody | undefined)[];
  shownOf(lane: Lane): ShownModel | undefined;
  readonly mode: Mode;
}) {
  const isWriting = !isBlank(conversation.prompt) && !conversation.isRunning;
  return conversation.lanes.map((lane) => {
    const shown = shownOf(lane);
    const settings = conversation.settingsOf(lane);
    return (
      shown &&
      settings && (
        <EstimateLine
          key={lane}
          body={isWriting ? bodies[lane] : undefined}
          settings={settings}
          shown={shown}
          name={conversation.lanes.length > 1 ? shown.model.name : undefined}
          mode={mode}
        />
      )
    );
  });
}

const ANNOUNCED_CHARS = 600;

/** For screen readers: that an answer runs, and its text once at its end, instead of every piece. */
function Announcement({ steps }: { readonly steps: readonly Step[] }) {
  const text = steps.some(({ state }) => state === 'running')
    ? 'The model answers.'
    : steps
        .slice(-2)
        .map(({ state, blocks }) => `${ENDS[state]} ${textOf(blocks).slice(0, ANNOUNCED_CHARS)}`)
        .join(' ');
  return (
    <output className="sr-only" data-testid="announcement">
      {text}
    </output>
  );
}

const ENDS: Readonly<Record<Step['state'], string>> = {
  running: '',
  done: 'Answer:',
  stopped: 'Stopped after:',
  failed: 'The answer failed.',
};
