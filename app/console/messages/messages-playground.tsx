'use client';

import { Code, Plus, SlidersHorizontal } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import type { AlertListJson } from '../../../lib/contract/alerts';
import type { Mode } from '../../../lib/domain/video';
import { LowBalanceNote } from '../components/credits/low-balance-note';
import { Button } from '../components/ui/button';
import { Drawer } from '../components/ui/drawer';
import { FormError } from '../components/ui/field';
import { onDemand } from '../components/ui/on-demand';
import { PageHeading } from '../components/ui/page-heading';
import { useUrlState } from '../components/ui/use-url-state';
import { Announcement } from './announcement';
import { Composer } from './composer';
import { modelName, settingsFor, type Lane, type Settings, type ShownModel } from './conversation';
import { EmptyConversation } from './empty-conversation';
import { Estimates } from './estimates';
import { nextRequest } from './next-request';
import { readRequest } from './read-request';
import { SettingsPanel } from './settings-panel';
import { ShareButton } from './share-button';
import { TurnView } from './turn-view';
import { newId, useConversation } from './use-conversation';
import { useFollowEnd } from './use-follow-end';
import { useRequestLink } from './use-request-link';
import { useStopOnEscape } from './use-stop-on-escape';

const CodeDrawer = onDemand(() => import('./code-drawer').then((module) => module.CodeDrawer));

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
  const link = useRequestLink((body) => conversation.replace(readRequest(body, models, newId)), initialProblem);
  const composer = useRef<HTMLTextAreaElement>(null);
  const { settings, turns, isRunning, left } = conversation;
  const panel = query.get('panel');
  const shownOf = (lane: Lane) => models.find(({ model }) => model.id === conversation.settingsOf(lane)?.modelId);
  const shown = shownOf(0) ?? models[0];
  const next = conversation.lanes.map((lane) => nextRequest(conversation, shownOf(lane), lane));
  const [first] = next;

  useStopOnEscape(isRunning, conversation.stop);
  useFollowEnd(turns);

  if (!shown) return <p className="text-sm text-muted">This installation has no text models.</p>;

  const opponent = shownOf(1);
  const takesImages = [shown, ...(opponent ? [opponent] : [])].every(
    ({ model }) => model.messages.imageMaxEdgePixels !== undefined,
  );
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
        link.setProblem(undefined);
      }}
    />
  );

  return (
    <div className="@container">
      <Heading
        canClear={turns.length > 0}
        isRunning={isRunning}
        shareButton={<ShareButton body={first?.body} onError={link.setProblem} />}
        onPanel={(name) => change({ panel: name })}
        onClear={() => {
          conversation.clear();
          composer.current?.focus();
        }}
      />
      <LowBalanceNote mode={mode} initial={alerts} />
      <div className="mb-4 empty:hidden">{link.problem && <FormError>{link.problem}</FormError>}</div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 @3xl:grid-cols-[19rem_minmax(0,1fr)] @5xl:grid-cols-[22rem_minmax(0,1fr)]">
        <section
          aria-label="Settings"
          className="top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto p-1 @max-3xl:hidden @3xl:sticky"
        >
          {panel !== 'settings' && settingsPanel}
        </section>
        <section aria-label="Conversation" className="flex min-w-0 flex-col gap-6">
          <LeftParts reasons={left} />
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
          <Composer
            conversation={conversation}
            field={composer}
            takesImages={takesImages}
            mayEdit={mayEdit}
            estimates={
              <Estimates
                conversation={conversation}
                bodies={next.map(({ body }) => body)}
                shownOf={shownOf}
                mode={mode}
              />
            }
          />
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

function Heading({
  canClear,
  isRunning,
  shareButton,
  onPanel,
  onClear,
}: {
  readonly canClear: boolean;
  readonly isRunning: boolean;
  readonly shareButton: ReactNode;
  onPanel(name: 'settings' | 'code'): void;
  onClear(): void;
}) {
  return (
    <PageHeading
      title="Messages"
      actions={
        <div className="flex flex-wrap gap-2">
          <Button className="@3xl:hidden" onClick={() => onPanel('settings')}>
            <SlidersHorizontal size={15} aria-hidden="true" /> Settings
          </Button>
          {canClear && (
            <Button disabled={isRunning} onClick={onClear}>
              <Plus size={15} aria-hidden="true" /> New
            </Button>
          )}
          {shareButton}
          <Button onClick={() => onPanel('code')}>
            <Code size={15} aria-hidden="true" /> View code
          </Button>
        </div>
      }
    />
  );
}

/** Lists why parts of an imported request are missing. */
function LeftParts({ reasons }: { readonly reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <div className="rounded-lg border border-warn/35 bg-warn/8 px-3 py-2.5 text-sm">
      <p className="font-medium">Some parts of the request could not be opened:</p>
      <ul className="mt-1 list-disc pl-5">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}
