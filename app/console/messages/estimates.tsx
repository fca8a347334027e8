'use client';

import type { Mode } from '../../../lib/domain/video';
import { isBlank, type Lane, type ShownModel } from './conversation';
import { EstimateLine } from './estimate-line';
import type { RequestBody } from './request';
import type { Conversation } from './use-conversation';

/** The tokens and the price of the prompt that is being written. Renders nothing without a prompt. */
export function Estimates({
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
