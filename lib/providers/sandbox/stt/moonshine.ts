import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as ort from 'onnxruntime-web';

// Moonshine tiny: a small English recogniser that takes a complete utterance and returns its text with punctuation. The
// model files come from its npm package; the package's code is for browsers, so the decoding loop is ours.

export interface Recogniser {
  /**
   * Returns the text of mono samples at 16 kHz, from −1 to 1; empty if no speech was found. Takes about a tenth of the
   * audio's duration on one core.
   */
  recognise(samples: Float32Array): Promise<string>;
}

const LAYERS = 6;
const HEADS = 8;
const HEAD_SIZE = 36;
const FIRST_TOKEN = 1;
const LAST_TOKEN = 2;
/** Faster than any speech; a model that derails repeats itself endlessly. */
const MAX_TOKENS_PER_SECOND = 6;
const SAMPLE_RATE_HZ = 16_000;

/** Loads the model: several seconds and 300 MB. It runs one recognition at a time. */
export async function loadRecogniser(): Promise<Recogniser> {
  const folder = path.resolve('node_modules/@moonshine-ai/moonshine-js/dist/model/tiny/quantized');
  // More threads would take cores from the sessions; several workers run recognitions in parallel instead.
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  const load = async (file: string) =>
    ort.InferenceSession.create(await readFile(path.join(folder, file)), { executionProviders: ['wasm'] });
  const encoder = await load('encoder_model.onnx');
  const decoder = await load('decoder_model_merged.onnx');
  const { default: tokenizer } = await import('llama-tokenizer-js');

  return {
    async recognise(samples) {
      const heard = await encoder.run({ input_values: new ort.Tensor('float32', samples, [1, samples.length]) });
      const states = given(heard['last_hidden_state']);
      const most = Math.max(1, Math.ceil((samples.length / SAMPLE_RATE_HZ) * MAX_TOKENS_PER_SECOND));
      const past: Record<string, ort.Tensor> = {};
      for (const name of cacheNames())
        past[`past_key_values.${name}`] = new ort.Tensor('float32', new Float32Array(0), [0, HEADS, 1, HEAD_SIZE]);
      const tokens: number[] = [];
      let last = FIRST_TOKEN;
      while (tokens.length < most) {
        const continues = tokens.length > 0;
        const results = await decoder.run({
          input_ids: new ort.Tensor('int64', BigInt64Array.from([BigInt(last)]), [1, 1]),
          encoder_hidden_states: states,
          use_cache_branch: new ort.Tensor('bool', [continues], [1]),
          ...past,
        });
        last = likeliest(given(results['logits']));
        if (last === LAST_TOKEN) break;
        tokens.push(last);
        for (const name of cacheNames()) {
          // The decoder's cache of the encoder's output is computed in the first step and stays.
          if (!continues || name.includes('decoder'))
            past[`past_key_values.${name}`] = given(results[`present.${name}`]);
        }
      }
      return tokenizer.decode(tokens, false, false).trim();
    },
  };
}

function cacheNames(): string[] {
  return Array.from({ length: LAYERS }, (_, layer) =>
    ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((part) => `${layer}.${part}`),
  ).flat();
}

/** Returns the token with the highest score at the last position. */
function likeliest(logits: ort.Tensor): number {
  const vocabulary = logits.dims.at(-1) ?? 0;
  // Safe: the model's scores are float32.
  const scores = (logits.data as Float32Array).subarray(-vocabulary);
  let best = 0;
  for (let token = 1; token < scores.length; token++) if ((scores[token] ?? 0) > (scores[best] ?? 0)) best = token;
  return best;
}

function given(tensor: ort.Tensor | undefined): ort.Tensor {
  if (!tensor) throw new Error('The recognition model lacks an output.');
  return tensor;
}
