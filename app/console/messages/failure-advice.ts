import type { Failure } from './conversation';

/** What to do about a failed answer; undefined if its message says it. `hasBegun`: a part of the answer has arrived. */
export function adviceFor({ status }: Failure, hasBegun: boolean): string | undefined {
  if (status === undefined)
    return hasBegun
      ? 'The part above was delivered and is charged. It stays in the conversation; try again to replace it.'
      : 'Nothing was delivered. Try again.';
  switch (status) {
    case 0:
      return 'Your conversation is kept in this tab.';
    case 402:
      return 'Lower the most output tokens, or ask for more credits. Test credits are free: refill them under Overview.';
    case 429:
      return 'Wait a few seconds before the next attempt.';
    case 404:
    case 503:
      return 'Choose another model or provider, or test mode, where the sandbox answers for every model.';
    case 502:
    case 504:
    case 529:
      return 'The provider failed; your request is valid. Try again, or choose another provider.';
    default:
      return undefined;
  }
}
