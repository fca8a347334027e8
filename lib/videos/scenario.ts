// The words of the sandbox's scenarios, for callers who test how their app meets a slow, failing or refused video. The header
// `X-Test-Scenario` wins over a marker such as `[[slow:45]]` in the prompt.

const WORD = /^[a-z0-9-]{1,32}(:\d{1,6})?$/;

/** The scenario of a request in test mode or on a sandbox model; undefined when it names none. */
export function readScenario(header: string | undefined, prompt: string): string | undefined {
  const named = header?.trim() || /\[\[([^[\]]{1,40})\]\]/.exec(prompt)?.[1]?.trim();
  return named !== undefined && WORD.test(named) ? named : undefined;
}
