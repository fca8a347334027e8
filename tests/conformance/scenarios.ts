import { chatScripts } from '../support/upstreams/fake-chat-upstream';
import { defects, framesOfDefect } from '../support/upstreams/fake-compatible-vendor';
import { scripts } from '../support/upstreams/fake-messages-vendor';
import { frame, messageStart } from '../support/upstreams/message-frames';
import { chatModel, compatibleModel, nativeModel } from './world';

// Every stream that the three fakes can send, with its frames on the wire.

export interface StreamScenario {
  readonly model: string;
  readonly scenario: string;
  /** As the fake sends them without further options. */
  readonly frames: readonly string[];
}

/** These never end successfully. */
const failing = new Set([
  `${compatibleModel} error-event`,
  `${compatibleModel} garbage`,
  `${compatibleModel} no-message-delta`,
  ...['gave-up', 'error-line', 'error-first', 'cut'].map((name) => `${chatModel} ${name}`),
]);
/** Variants of others that are only longer; and one that is not a stream. */
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

/** Those that every client reads to a successful end. */
export const wholeStreams: readonly StreamScenario[] = all.filter(
  ({ model, scenario }) => !failing.has(`${model} ${scenario}`),
);
