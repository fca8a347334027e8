export * from './errors';
export { Patchbay } from './patchbay';
export type { ClientOptions, RequestOptions, Transport } from './transport';
export type { ContentOptions, CreateOptions, ListOptions, Videos, WaitOptions } from './videos';
export { unwrapWebhook, type UnwrapOptions, type WebhookEvent } from './webhooks';
export { openSpeech, type Speech, type SpeechOptions } from './speech';
export {
  openTranscription,
  type Transcript,
  type Transcription,
  type TranscriptionOptions,
  type TranscriptionTotals,
} from './transcription';
export type { SocketOptions, WebSocketLike } from './socket';
export type { CreditsJson } from '../contract/credits';
export type { ModelJson } from '../contract/models';
export type {
  DeletedVideoJson,
  SubmittedVideoJson,
  VideoJson,
  VideoPageJson,
  VideoRequestJson,
} from '../contract/videos';
export type { DeliveryJson, DeliveryPageJson } from '../contract/webhooks';
