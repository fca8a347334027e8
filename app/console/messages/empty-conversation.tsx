import type { MessagesModel } from '../../../lib/domain/model';
import type { Mode } from '../../../lib/domain/video';
import { Button } from '../components/ui/button';
import type { Prompt, Settings } from './conversation';
import { EXAMPLE_SCHEMA, EXAMPLE_TOOLS } from './examples';

interface Example {
  readonly label: string;
  readonly prompt: Prompt;
  readonly settings: Partial<Settings>;
}

/** Explains what the page is for, with examples that fill the prompt. */
export function EmptyConversation({
  model,
  mode,
  keptDays,
  onExample,
}: {
  readonly model: MessagesModel;
  readonly mode: Mode;
  /** For how many days the organisation keeps conversations; null: not at all. */
  readonly keptDays: number | null;
  onExample(example: Example): void;
}) {
  // In test mode the scripted model of the sandbox answers in place of every model.
  const isScripted = mode === 'test';
  return (
    <div className="rounded-xl border border-dashed border-line-strong px-5 py-8 text-center">
      <p className="font-medium">Talk to {model.name}</p>
      <p className="mx-auto mt-1 max-w-lg text-sm text-muted">
        {isScripted
          ? 'The sandbox on this machine answers: a scripted model that streams, thinks, calls tools and fails on request. Nothing leaves the machine.'
          : 'The provider answers, at the prices of the catalog.'}{' '}
        {keptDays !== null
          ? `Your organisation keeps conversations for ${keptDays === 1 ? '1 day' : `${keptDays} days`}; every member can read them.`
          : !isScripted && 'The conversation stays in this tab.'}
      </p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        {examplesFor(model, isScripted).map((example) => (
          <Button key={example.label} size="small" onClick={() => onExample(example)}>
            {example.label}
          </Button>
        ))}
      </div>
    </div>
  );
}

function examplesFor({ messages: facts }: MessagesModel, isScripted: boolean): readonly Example[] {
  const prompt = (text: string): Prompt => ({ text, images: [] });
  return [
    { label: 'A short text', prompt: prompt('Write three facts about lighthouses as a list.'), settings: {} },
    ...(facts.thinkingTypes.includes('enabled')
      ? [
          {
            label: 'Thinking',
            prompt: prompt('Is 221 a prime number?'),
            settings: { thinking: 'enabled', thinkingBudget: 1_024, maxTokens: 2_048 } as const,
          },
        ]
      : []),
    {
      label: 'A tool',
      prompt: prompt('What is the weather in Lisbon?'),
      settings: { tools: EXAMPLE_TOOLS },
    },
    ...(facts.structuredOutputs
      ? [
          {
            label: 'Structured output',
            prompt: prompt('Describe a paper boat.'),
            settings: { structured: true, schema: EXAMPLE_SCHEMA },
          },
        ]
      : []),
    ...(isScripted
      ? [
          { label: 'Formatted text', prompt: prompt('Show me Markdown. [[markdown]]'), settings: {} },
          { label: 'An error in the middle', prompt: prompt('Tell me a story. [[error-mid]]'), settings: {} },
        ]
      : []),
  ];
}
