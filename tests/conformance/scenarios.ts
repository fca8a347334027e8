import { chatScripts } from '../support/upstreams/fake-chat-upstream';
import { defects, framesOfDefect } from '../support/upstreams/fake-compatible-vendor';
import { scripts } from '../support/upstreams/fake-messages-vendor';
import { frame, messageStart } from '../support/upstreams/message-frames';
import { chatModel, compatibleModel, nativeModel } from './world';

// Every stream that the three fakes can send, with what stands on their wire.

export interface StreamScenario {
  readonly model: string;
  readonly scenario: string;
  /** As the fake writes them without further options. */
  readonly frames: readonly string[];
}

/** These never reach a good end. */
const failing = new Set([
  `${compatibleModel} error-event`,
  `${compatibleModel} garbage`,
  `${compatibleModel} no-message-delta`,
  ...['gave-up', 'error-line', 'error-first', 'cut'].map((name) => `${chatModel} ${name}`),
]);
/** The same as others, only more; and no stream at all. */
const left = new Set(['long', 'json-body']);

const all: readonly StreamScenario[] = [
  ...Object.entries(scripts).map(([scenario, script]) => ({
    model: nativeModel,
    scenario,
    frames: script(messageStart({ model: nativeModel })).map((event) => frame(event)),
  })),
  ...Object.keys(defects).map((scenario) => ({
    model: compatibleModel,
    scenario,
    frames: framesOfDefect(scenario, compatibleModel),
  })),
  ...Object.entries(chatScripts).map(([scenario, script]) => ({ model: chatModel, scenario, frames: script() })),
].filter(({ scenario }) => !left.has(scenario));

/** Those that every client reads to a good end. */
export const wholeStreams: readonly StreamScenario[] = all.filter(
  ({ model, scenario }) => !failing.has(`${model} ${scenario}`),
);
