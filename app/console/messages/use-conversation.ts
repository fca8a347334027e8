'use client';

import { useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Mode } from '../../../lib/domain/video';
import {
  emptyPrompt,
  emptySettings,
  settingsFor,
  type Turn,
  type Lane,
  type Prompt,
  type RawEvent,
  type Settings,
  type ShownModel,
  type Step,
  type Work,
} from './conversation';
import { draftText, keepDraft, parseDraft } from './draft';
import type { ReadRequest } from './read-request';
import { requestBody, settingsProblem, type RequestBody } from './request';
import { MAX_RAW_EVENTS, sendMessage } from './send-message';

// The state of the page and all changes to it. The browser keeps it for this tab; the server stores none of it.

/** A request as it was sent, and the events of its answer. Kept only while the page is open. */
export interface Wire {
  readonly body: RequestBody;
  readonly events: readonly RawEvent[];
  /** The stream had more events than are kept. */
  readonly isCut: boolean;
}

/** The position of an answer in the conversation. */
export interface Place {
  readonly turn: Turn;
  readonly lane: Lane;
}

export interface Conversation extends Work {
  /** The settings of a lane; undefined for the second lane without a comparison. */
  settingsOf(lane: Lane): Settings | undefined;
  readonly lanes: readonly Lane[];
  readonly isRunning: boolean;
  /** Why these settings prevent sending. */
  readonly settingsProblem: string | undefined;
  /** Why the last request was not sent. */
  readonly problem: string | undefined;
  change(part: Partial<Work>): void;
  replace(read: ReadRequest): void;
  clear(): void;
  /** Sends the prompt to every lane. */
  submit(prompt: Prompt): void;
  /** Replaces an earlier prompt and sends the new one. The turns after it are removed. */
  edit(turn: Turn, prompt: Prompt): void;
  /** Requests new answers to a prompt. The turns after it are removed. */
  regenerate(place: Place): void;
  /** Repeats the last request at this position, which failed. */
  retry(place: Place): void;
  setResult(stepId: string, callId: string, result: Step['results'][string]): void;
  /** Sends the results of the tools that the last answer calls. */
  sendResults(place: Place): void;
  /** Stops one answer, or all. */
  stop(stepId?: string): void;
  wireOf(stepId: string): Wire | undefined;
}

const DRAFT_PAUSE_MS = 400;

export function useConversation(
  models: readonly ShownModel[],
  initialModel: Pick<Settings, 'modelId' | 'provider'> | undefined,
  mode: Mode,
): Conversation {
  const draft = useSyncExternalStore(never, draftText, () => null);
  const begun = useMemo(() => beginning(parseDraft(draft), initialModel, models), [draft, initialModel, models]);
  const [worked, setWorked] = useState<Work>();
  const [problem, setProblem] = useState<string>();
  // A mutable map, not state: a long stream has thousands of events, and only an open panel shows them.
  const [wires] = useState(() => new Map<string, Wire>());
  const running = useRef(new Map<string, AbortController>());
  const work = worked ?? begun;
  const isRunning = work.turns.some(({ lanes }) => lanes.flat().some(({ state }) => state === 'running'));

  useEffect(() => {
    if (!worked || isRunning) return;
    const timer = window.setTimeout(() => keepDraft(worked), DRAFT_PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [worked, isRunning]);
  const leave = useEffectEvent(() => {
    if (worked) keepDraft(worked);
    for (const controller of running.current.values()) controller.abort();
  });
  useEffect(() => {
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);

  const update = (change: (work: Work) => Work) => setWorked((current) => change(current ?? begun));

  function settingsOf(lane: Lane): Settings | undefined {
    const { settings, opponent } = work;
    if (lane === 0) return settings;
    if (!opponent) return undefined;
    const { provider: _first, ...others } = settings;
    return settingsFor({ ...others, ...opponent }, modelOf(opponent.modelId));
  }
  const modelOf = (id: string | undefined) => models.find(({ model }) => model.id === id)?.model;
  const lanes: readonly Lane[] = work.opponent ? [0, 1] : [0];
  const problems = lanes.map((lane) => {
    const settings = settingsOf(lane);
    const model = modelOf(settings?.modelId);
    return settings && model && settingsProblem(settings, model);
  });

  /**
   * Requests an answer to a turn in these lanes, after the steps that each lane already has. Everything after the turn
   * is removed.
   */
  function run(before: readonly Turn[], turn: Turn, inLanes: readonly Lane[], part: Partial<Work> = {}) {
    let sent: readonly { readonly lane: Lane; readonly step: Step; readonly body: RequestBody }[];
    try {
      sent = inLanes.flatMap((lane) => {
        const settings = settingsOf(lane);
        const model = modelOf(settings?.modelId);
        if (!settings || !model) return [];
        const own = turn.lanes[lane];
        const here: Turn = { ...turn, lanes: lane === 0 ? [own, []] : [[], own] };
        const body = requestBody(settings, model, lane, [...before, here], undefined);
        const step: Step = {
          id: newId(),
          modelId: settings.modelId,
          state: 'running',
          blocks: [],
          results: {},
          requestId: newRequestId(),
          ...(body['output_config'] !== undefined && settings.structured && { isJson: true }),
        };
        return [{ lane, step, body }];
      });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The request cannot be sent.');
      return;
    }
    setProblem(undefined);
    const steps = (lane: Lane): readonly Step[] => [
      ...turn.lanes[lane],
      ...sent.flatMap((each) => (each.lane === lane ? [each.step] : [])),
    ];
    update((current) => ({
      ...current,
      ...part,
      turns: [...before, { ...turn, lanes: [steps(0), steps(1)] }],
    }));
    for (const { step, body } of sent) void launch(step, body);
  }

  async function launch({ id, requestId = '' }: Step, body: RequestBody): Promise<void> {
    const controller = new AbortController();
    const events: RawEvent[] = [];
    running.current.set(id, controller);
    wires.set(id, { body, events, isCut: false });
    await sendMessage(body, {
      mode,
      requestId,
      signal: controller.signal,
      report: (part) => update((current) => withStep(current, id, (step) => ({ ...step, ...part }))),
      onEvent(event) {
        if (events.length < MAX_RAW_EVENTS) events.push(event);
        else wires.set(id, { body, events, isCut: true });
      },
    });
    running.current.delete(id);
  }

  const before = ({ id }: Turn) =>
    work.turns.slice(
      0,
      work.turns.findIndex((each) => each.id === id),
    );

  return {
    ...work,
    settingsOf,
    lanes,
    isRunning,
    settingsProblem: problems.find((each) => each !== undefined),
    problem,
    change(part) {
      setProblem(undefined);
      update((current) => ({ ...current, ...part }));
    },
    replace({ settings, turns, prompt, left }) {
      for (const controller of running.current.values()) controller.abort();
      setProblem(undefined);
      setWorked({ settings, turns, prompt, left });
    },
    clear: () => update((current) => ({ ...current, turns: [], prompt: emptyPrompt, left: [] })),
    submit(prompt) {
      if (isRunning) return;
      run(work.turns, newTurn(prompt), lanes, { prompt: emptyPrompt, left: [] });
    },
    edit(turn, prompt) {
      if (!isRunning) run(before(turn), newTurn(prompt), lanes);
    },
    regenerate({ turn, lane }) {
      if (isRunning) return;
      const { lanes: former } = turn;
      run(before(turn), { ...turn, lanes: lane === 0 ? [[], former[1]] : [former[0], []] }, [lane]);
    },
    retry({ turn, lane }) {
      if (isRunning) return;
      const { lanes: former } = turn;
      const kept = former[lane].slice(0, -1);
      run(before(turn), { ...turn, lanes: lane === 0 ? [kept, former[1]] : [former[0], kept] }, [lane]);
    },
    setResult(stepId, callId, result) {
      update((current) =>
        withStep(current, stepId, (step) => ({ ...step, results: { ...step.results, [callId]: result } })),
      );
    },
    sendResults({ turn, lane }) {
      if (!isRunning) run(before(turn), turn, [lane]);
    },
    stop(stepId) {
      for (const [id, controller] of running.current) if (stepId === undefined || id === stepId) controller.abort();
    },
    wireOf: (stepId) => wires.get(stepId),
  };
}

const never = () => () => undefined;

function newTurn(prompt: Prompt): Turn {
  return { id: newId(), prompt, lanes: [[], []] };
}

function withStep(work: Work, stepId: string, change: (step: Step) => Step): Work {
  const steps = (list: readonly Step[]) => list.map((step) => (step.id === stepId ? change(step) : step));
  return {
    ...work,
    turns: work.turns.map((turn) =>
      turn.lanes.flat().some(({ id }) => id === stepId)
        ? { ...turn, lanes: [steps(turn.lanes[0]), steps(turn.lanes[1])] }
        : turn,
    ),
  };
}

/** Returns the draft of this tab, with the model that the URL names, if it names one. */
function beginning(
  draft: Work | undefined,
  initialModel: Pick<Settings, 'modelId' | 'provider'> | undefined,
  models: readonly ShownModel[],
): Work {
  const known = (id: string | undefined) => models.some(({ model }) => model.id === id);
  const first = models.find(({ offered }) => offered.length > 0) ?? models[0];
  const work: Work =
    draft && known(draft.settings.modelId)
      ? { ...draft, opponent: known(draft.opponent?.modelId) ? draft.opponent : undefined }
      : { settings: emptySettings(first?.model.id ?? ''), prompt: emptyPrompt, turns: [], left: [] };
  if (!initialModel) return work;
  const { provider: _former, ...settings } = work.settings;
  const model = models.find(({ model: { id } }) => id === initialModel.modelId)?.model;
  return { ...work, settings: settingsFor({ ...settings, ...initialModel }, model) };
}

/** Returns a random id. Does not use `randomUUID`, which browsers offer only in secure contexts. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The request id is chosen here, so that the price can be found even if the answer was stopped before its first byte.
 */
function newRequestId(): string {
  return `req_${newId()}`;
}
