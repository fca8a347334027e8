import type { Call } from '../../../domain/call';
import { GatewayError } from '../../../domain/errors';
import type { AcceptedForm, MediaInForm, MediaSource } from '../../../domain/provider';
import { mediaKind } from '../../../domain/video';
import type { MediaRole, OrderMedia, VideoStart } from '../../../domain/video';
import { linkSignals } from '../../../io/linked-signal';

// Reads the media of an order in the forms that a vendor takes, by their roles.

type Form = MediaInForm['form'];

/** The forms of media that a vendor takes, the preferred one first. */
export interface VendorForms<Taken extends Form> {
  readonly image: Accepted<Taken>;
  /** Absent: the vendor takes no videos. */
  readonly video?: Accepted<Taken>;
}

type Accepted<Taken extends Form> = readonly [AcceptedIn<Taken>, ...AcceptedIn<Taken>[]];
type AcceptedIn<Taken extends Form> = AcceptedForm & { readonly form: Taken };
type InForm<Taken extends Form> = Extract<MediaInForm, { form: Taken }>;

/** Media that are sent as text in the body of a request. */
export type WrittenMedia = InForm<'https' | 'base64'>;

/** In the order of the request; a role without media has an empty list. */
export type MediaByRole<Taken extends Form> = Readonly<Record<MediaRole, readonly InForm<Taken>[]>>;

/**
 * Reads the media of an order and passes them to `use`. They are held in memory until `use` has settled: send the
 * request that carries them there. Rejects as `MediaSource.as` does, with nothing started; otherwise settles as `use`
 * does.
 */
export async function withMedia<Taken extends Form, Result>(
  { order, owner }: Pick<VideoStart, 'order' | 'owner'>,
  forms: VendorForms<Taken>,
  source: Pick<MediaSource, 'as'>,
  call: Call,
  use: (media: MediaByRole<Taken>) => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const either = linkSignals(call.signal, done.signal);

  async function take(media: OrderMedia): Promise<{ role: MediaRole; media: InForm<Taken> }> {
    const accepts = forms[mediaKind(media.role)];
    if (!accepts)
      throw new GatewayError('media_invalid', 'The provider of this model takes no videos as media.', {
        upstream: { retry: 'never', started: 'no' },
      });
    const taken = await source.as(media, accepts, owner, { ...call, signal: either.signal });
    if (!isIn(accepts, taken)) throw new Error(`The media came as ${taken.form}, which was not accepted.`);
    return { role: media.role, media: taken };
  }

  try {
    const taken = await Promise.all(order.media.map(take));
    const ofRole = (role: MediaRole) => taken.filter((one) => one.role === role).map(({ media }) => media);
    return await use({
      first_frame: ofRole('first_frame'),
      last_frame: ofRole('last_frame'),
      reference_image: ofRole('reference_image'),
      reference_video: ofRole('reference_video'),
      source_video: ofRole('source_video'),
    });
  } finally {
    // Frees the memory of the media. After a failure, also stops reading the others.
    done.abort();
    either.release();
  }
}

function isIn<Taken extends Form>(accepts: Accepted<Taken>, media: MediaInForm): media is InForm<Taken> {
  return accepts.some(({ form }) => form === media.form);
}

/** Returns the text of the media in the body of a request: their URL, or their bytes in base64. */
export function writeMedia(media: WrittenMedia): string {
  return media.form === 'https' ? media.url : media.data;
}

/** Returns the text in the stored copy of the body, where bytes become a marker such as `(image/png, 1,234 bytes)`. */
export function writeMarker(media: WrittenMedia): string {
  if (media.form === 'https') return media.url;
  return `(${media.contentType}, ${Buffer.byteLength(media.data, 'base64').toLocaleString('en-US')} bytes)`;
}
