import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as ort from 'onnxruntime-web';

// Moonshine tiny: a small recogniser of English that takes a whole utterance and gives its text with punctuation. The model
// files lie in the npm package of its makers; its own code is for browsers, so the decoding loop is ours.

export interface Recogniser {
  /** The text of mono samples at 16 kHz, from −1 to 1; empty when it heard nothing. About a tenth of the sound's length on one core. */
  recognise(samples: Float32Array): Promise<string>;
}

const LAYERS = 6;
const HEADS = 8;
const HEAD_SIZE = 36;
const FIRST_TOKEN = 1;
const LAST_TOKEN = 2;
/** Nobody speaks faster; a model that has lost its way repeats itself for ever. */
const MAX_TOKENS_PER_SECOND = 6;
const SAMPLE_RATE_HZ = 16_000;

/** Loads the model: some seconds and 300 MB. One recognition at a time. */
export async function loadRecogniser(): Promise<Recogniser> {
  const folder = path.resolve('node_modules/@moonshine-ai/moonshine-js/dist/model/tiny/quantized');
  // More threads would take the cores from the sessions; several recognitions run in several workers instead.
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
          // What the decoder knows of the encoder is computed in the first step and stays.
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

/** The token with the highest score at the last position. */
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
