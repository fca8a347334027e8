import type { MessagesBinding, MessagesProvider } from '../domain/messages';
import type { ProviderDefinition } from '../domain/provider';

// In test mode the sandbox answers for every provider. What a provider is not sent is known without its credentials.

/** The messages of the sandbox, which refuse and ignore what the provider of the binding would. */
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
