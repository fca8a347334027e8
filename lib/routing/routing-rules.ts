import { byPreference, takingMost, unsupportedBy, type Unsupported, type VideoNeeds } from '../catalog/binding-fit';
import type { Turn } from '../domain/messages';
import type { BindingOf, Capability, ModelOf } from '../domain/model';
import type { OwnProvider } from './provider-directory';
import type { Route } from './route';

// The rules by which bindings are chosen for a request, for each capability.

/** The part of a request that determines its routes. Speech has none: `void` lets callers omit the argument. */
export interface NeedsByCapability {
  readonly video: VideoNeeds;
  readonly messages: { readonly messages: readonly Turn[] };
  readonly stt: void;
  readonly tts: void;
}

interface RoutingRule<C extends Capability> {
  /** Limits a binding to what an organisation's own account can order. Absent if there is no such limit. */
  readonly narrow?: (binding: BindingOf<C>, model: ModelOf<C>, account: OwnProvider) => BindingOf<C>;
  /** Returns the first value of the request that the binding does not support. */
  readonly unsupported?: (binding: BindingOf<C>, needs: NeedsByCapability[C]) => Unsupported | undefined;
  /** Orders bindings that are equally healthy. Absent: the order of the catalog. */
  readonly compare?: (needs: NeedsByCapability[C]) => (one: BindingOf<C>, other: BindingOf<C>) => number;
  /** Keeps, in their order, the bindings that take the most of the parameters. Keeps at least one. */
  readonly takingMost?: (bindings: readonly BindingOf<C>[], needs: NeedsByCapability[C]) => readonly BindingOf<C>[];
  /** Returns the check for routes that are tried first while they are healthy, if the request prefers any. */
  readonly preference?: (needs: NeedsByCapability[C]) => ((route: Route<C>) => boolean) | undefined;
}

export const routingRules: { readonly [C in Capability]: RoutingRule<C> } = {
  video: {
    narrow: (binding, { video }, account) => account.narrow?.(binding, video.kind) ?? binding,
    unsupported: unsupportedBy,
    compare: byPreference,
    takingMost,
  },
  messages: { preference: preferThinkingOrigin },
  stt: {},
  tts: {},
};

/**
 * A thinking block can be sent back only to the provider that produced it, so the conversation stays with that provider
 * while it is healthy.
 */
function preferThinkingOrigin({
  messages,
}: NeedsByCapability['messages']): ((route: Route<'messages'>) => boolean) | undefined {
  const signature = newestSignature(messages);
  if (signature === undefined) return undefined;
  // Our own signatures, for providers that do not sign, begin with the provider's name.
  if (signature.startsWith('gw1.')) return ({ providerId }) => signature.startsWith(`gw1.${providerId}.`);
  return ({ provider }) => provider.native === true;
}

function newestSignature(messages: readonly Turn[]): string | undefined {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const content = messages[at]?.content;
    if (typeof content !== 'object') continue;
    for (const block of content) {
      if (block.type === 'thinking' && typeof block.signature === 'string' && block.signature !== '')
        return block.signature;
    }
  }
  return undefined;
}
