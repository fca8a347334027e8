import type { Model } from '../domain/model';
import { assemblyaiModels } from './families/assemblyai';
import { claudeModels } from './families/claude';
import { deepseekModels } from './families/deepseek';
import { glmModels } from './families/glm';
import { cartesiaModels } from './families/cartesia';
import { deepgramModels } from './families/deepgram';
import { elevenlabsModels } from './families/elevenlabs';
import { geminiOmniModels } from './families/gemini-omni';
import { gladiaModels } from './families/gladia';
import { grokModels } from './families/grok';
import { happyhorseModels } from './families/happyhorse';
import { higgsfieldModels } from './families/higgsfield';
import { kimiModels } from './families/kimi';
import { klingModels } from './families/kling';
import { localModels, localVideoModels } from './families/local';
import { lumaModels } from './families/luma';
import { mimoModels, retiredMimoModels } from './families/mimo';
import { minimaxModels } from './families/minimax';
import { openaiSpeechModels } from './families/openai-speech';
import { minimaxTextModels } from './families/minimax-text';
import { pixverseModels } from './families/pixverse';
import { qwenModels } from './families/qwen';
import { retiredModels } from './families/retired';
import { runwayModels } from './families/runway';
import { sandboxModels } from './families/sandbox';
import { seedanceModels } from './families/seedance';
import { sonioxModels } from './families/soniox';
import { speechmaticsModels } from './families/speechmatics';
import { stepModels } from './families/step';
import { veoModels } from './families/veo';
import { viduModels } from './families/vidu';
import { wanModels } from './families/wan';

/** Every model of the catalog in display order; models that work on every installation come first. */
export const allModels: readonly Model[] = [
  ...sandboxModels,
  ...claudeModels,
  ...deepseekModels,
  ...kimiModels,
  ...glmModels,
  ...minimaxTextModels,
  ...qwenModels,
  ...mimoModels,
  ...stepModels,
  ...localModels,
  ...cartesiaModels,
  ...deepgramModels,
  ...assemblyaiModels,
  ...sonioxModels,
  ...elevenlabsModels,
  ...gladiaModels,
  ...speechmaticsModels,
  ...openaiSpeechModels,
  ...happyhorseModels,
  ...wanModels,
  ...klingModels,
  ...seedanceModels,
  ...geminiOmniModels,
  ...veoModels,
  ...runwayModels,
  ...minimaxModels,
  ...viduModels,
  ...pixverseModels,
  ...grokModels,
  ...higgsfieldModels,
  ...lumaModels,
  ...localVideoModels,
  ...retiredMimoModels,
  ...retiredModels,
];
