import { classNames } from './class-names';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly title: string;
  readonly description: string;
}

/** Radio buttons as cards, each with a title and a description. */
export function ChoiceCards<Value extends string>({
  legend,
  name,
  value,
  onChange,
  choices,
}: {
  readonly legend: string;
  readonly name: string;
  readonly value: Value;
  onChange(value: Value): void;
  readonly choices: readonly Choice<Value>[];
}) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="grid grid-cols-2 gap-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={classNames(
              'cursor-pointer rounded-lg border px-3 py-2.5 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
              choice.value === value ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="sr-only"
            />
            <span className="block text-sm font-medium">{choice.title}</span>
            <span className="block text-xs text-muted">{choice.description}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
