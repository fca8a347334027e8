import type { CreditsJson } from '../contract/credits';
import type { ModelJson, ModelPageJson } from '../contract/models';
import { Transport, type ClientOptions, type RequestOptions } from './transport';
import { Videos } from './videos';

/**
 * A client of one installation. For messages, use the vendor's SDK with the same base URL and key. For speech, use
 * `openTranscription` and `openSpeech`.
 */
export class Patchbay {
  readonly transport: Transport;
  readonly videos: Videos;

  constructor(options: ClientOptions) {
    this.transport = new Transport(options);
    this.videos = new Videos(this.transport);
  }

  /** Returns the balance of the key's organisation and mode, in decimal strings of dollars. */
  credits(options?: RequestOptions): Promise<CreditsJson> {
    return this.transport.json('/v1/credits', options);
  }

  /** Lists the models that the key may use. */
  async models(options?: RequestOptions): Promise<readonly ModelJson[]> {
    return (await this.transport.json<ModelPageJson>('/v1/models', options)).data;
  }

  /** Returns one model by its id or alias. */
  model(id: string, options?: RequestOptions): Promise<ModelJson> {
    return this.transport.json(`/v1/models/${id.split('/').map(encodeURIComponent).join('/')}`, options);
  }
}
