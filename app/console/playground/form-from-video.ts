import type { Mode } from '../../../lib/domain/video';
import { toast } from '../components/ui/toast';
import type { ShownModel } from '../components/video-form/form';
import { importRequest, type Imported } from '../components/video-form/import-request';
import { switchModel } from '../components/video-form/switch-model';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { playableAt, type GalleryVideo } from './gallery-video';
import { continuing, lastFrameOf } from './last-frame';
import type { VideoDraft } from './use-video-draft';

/** Fills the form of the playground from an earlier video. If that fails, a toast says why. */
export interface FormFromVideo {
  /** Fills the form with the request of the video. Resolves to undefined if the request could not be read. */
  refill(video: GalleryVideo): Promise<Imported | undefined>;
  /** Makes the video the source of an edit. */
  takeAsSource(video: GalleryVideo): void;
  /** Makes the last frame of the video the first image, and switches to a model that starts from an image. */
  continueFrom(video: GalleryVideo): Promise<void>;
}

export interface FormFromVideoOptions {
  readonly draft: VideoDraft;
  readonly models: readonly ShownModel[];
  /** The model of the draft. */
  readonly shown: ShownModel;
  readonly mode: Mode;
  /** Called when the form is filled. */
  onFilled(): void;
}

export function formFromVideo({ draft, models, shown, mode, onFilled }: FormFromVideoOptions): FormFromVideo {
  return {
    async refill(video) {
      try {
        const body = await ask<Readonly<Record<string, unknown>>>(apiPaths.videoRequest(video.id, mode));
        const request = importRequest(body, models, shown);
        draft.replace(request);
        onFilled();
        return request;
      } catch (error) {
        toast(error instanceof Error ? error.message : 'The request of this video could not be read.');
        return undefined;
      }
    },
    takeAsSource(video) {
      if (video.video_url === undefined) return;
      const durationSeconds = video.duration_seconds ?? Number(video.seconds);
      draft.edit({
        ...draft.form,
        source: { kind: 'url', url: video.video_url, durationSeconds },
        inputSeconds: String(durationSeconds),
      });
      onFilled();
    },
    async continueFrom(video) {
      const source = playableAt(video, mode, Date.now());
      const target = continuing(video, models, shown);
      if (source === undefined || !target) return;
      try {
        const frame = await lastFrameOf(source, video.fps ?? 24);
        const switched = switchModel(draft.form, shown.model, target.model);
        draft.edit({ ...switched.form, images: [frame] }, switched.notes);
        onFilled();
      } catch (error) {
        toast(error instanceof Error ? error.message : 'The last frame could not be read.');
      }
    },
  };
}
