import type { CompatModelJson } from '../contract/models';
import type { MessagesModel, Model } from '../domain/model';
import { isoInstant } from './present';

// A model in the format of the messages API. Its clients offer every entry for conversations, so this list contains
// only text models.

/** Whether the messages endpoint can serve the model. */
export function conversesInMessages(model: Model): model is MessagesModel {
  return model.capability === 'messages';
}

/** Presents one entry in the vendor's complete format: some clients fail if a part of `capabilities` is missing. */
export function presentCompatModel(model: MessagesModel): CompatModelJson {
  return {
    type: 'model',
    id: model.id,
    display_name: model.name,
    created_at: isoInstant(model.created),
    max_input_tokens: model.messages.contextTokens,
    max_tokens: model.messages.maxOutputTokens,
    lifecycle: model.deprecatedAt === undefined ? 'active' : 'deprecated',
    deprecated_at: model.deprecatedAt ?? null,
    retires_at: model.deactivatedAt ?? null,
    line: lines.find((line) => model.id.startsWith(`claude-${line}-`)) ?? null,
    capabilities: capabilitiesOf(model),
  };
}

const lines = ['haiku', 'sonnet', 'opus', 'fable', 'mythos'] as const;

function capabilitiesOf({ messages, inputModalities, bindings }: MessagesModel): CompatModelJson['capabilities'] {
  // Only the vendor of the dialect runs web searches itself. It also runs the other tools and formats.
  const searches = bindings.some(({ webSearch }) => webSearch);
  const isNative = searches;
  const { thinkingTypes, efforts, structuredOutputs } = messages;
  return {
    batch: supported(false),
    citations: supported(isNative),
    code_execution: supported(isNative),
    context_management: {
      ...supported(isNative),
      clear_thinking_20251015: supported(isNative),
      clear_tool_uses_20250919: supported(isNative),
      compact_20260112: supported(isNative),
    },
    effort: {
      ...supported(efforts.length > 0),
      low: supported(efforts.includes('low')),
      medium: supported(efforts.includes('medium')),
      high: supported(efforts.includes('high')),
      xhigh: supported(efforts.includes('xhigh')),
      max: supported(efforts.includes('max')),
    },
    image_input: supported(inputModalities.includes('image')),
    pdf_input: supported(isNative),
    server_tools: { ...supported(searches), code_execution: supported(isNative), web_search: supported(searches) },
    structured_outputs: supported(structuredOutputs),
    thinking: {
      ...supported(thinkingTypes.some((type) => type !== 'disabled')),
      types: {
        adaptive: supported(thinkingTypes.includes('adaptive')),
        between_tools: supported(thinkingTypes.includes('between_tools')),
        disabled: supported(thinkingTypes.includes('disabled')),
        enabled: supported(thinkingTypes.includes('enabled')),
      },
    },
  };
}

const supported = (holds: boolean) => ({ supported: holds });
