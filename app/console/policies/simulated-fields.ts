// The amounts that determine the price of a simulated request, by the kind of its model.

export type SimulatedCapability = 'video' | 'messages' | 'stt' | 'tts';

export interface SimulatedField {
  /** The parameter of the API. */
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
}

export const simulatedFields: Readonly<Record<SimulatedCapability, readonly SimulatedField[]>> = {
  video: [
    { name: 'seconds', label: 'Seconds', placeholder: 'Default of the model' },
    { name: 'size', label: 'Size', placeholder: 'Default of the model' },
  ],
  messages: [
    { name: 'input_tokens', label: 'Input tokens', placeholder: 'Prices not compared' },
    { name: 'max_tokens', label: 'Max output tokens', placeholder: 'Prices not compared' },
  ],
  stt: [],
  tts: [{ name: 'characters', label: 'Characters', placeholder: 'Prices not compared' }],
};

/** Returns the parameters of the fields that are filled in. A whole number is sent as a number, other text as text. */
export function parametersOf(
  fields: readonly SimulatedField[],
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const text = (values[name] ?? '').trim();
      return text === '' ? [] : [[name, /^\d+$/.test(text) ? Number(text) : text]];
    }),
  );
}
