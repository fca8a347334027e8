import type { MessagesBinding, MessagesProvider } from '../domain/messages';
import type { ProviderDefinition } from '../domain/provider';

// In test mode the sandbox answers for every provider. A provider's rules about what it refuses and ignores still
// apply, because they are known without its credentials.

/** Wraps the sandbox so that it refuses and ignores the same fields as the provider of the binding. */
export function underRulesOf(definitions: readonly ProviderDefinition[], messages: MessagesProvider): MessagesProvider {
  const rulesOf = ({ providerId }: MessagesBinding) => definitions.find(({ id }) => id === providerId)?.messageRules;
  return {
    ...messages,
    async *stream(request, binding, call) {
      rulesOf(binding)?.check(request.body, binding);
      yield* messages.stream(request, binding, call);
    },
    ignoredParams: (body, binding) => [
      ...new Set([
        ...(rulesOf(binding)?.ignoredParams(body, binding) ?? []),
        ...(messages.ignoredParams?.(body, binding) ?? []),
      ]),
    ],
  };
}
