import { withBindings } from '../../../lib/catalog/binding-facts';
import { fieldsOf, type Fields } from '../../../lib/domain/json';
import type { VideoModel } from '../../../lib/domain/model';
import { mediaKind, type OrderMedia, type VideoBinding, type VideoOrder } from '../../../lib/domain/video';

// Bodies of vendors that are written by hand: an order with its body, and changes of both.

export interface OrderCase {
  readonly order: Partial<VideoOrder>;
  /** Each change of the order with what it changes in the body. */
  readonly changes: readonly (readonly [change: Partial<VideoOrder>, body: Fields])[];
}

/** A body with other fields, those of objects one by one; undefined removes a field. */
export function changed(body: Fields, change: Fields): Fields {
  const merged = Object.entries({ ...body, ...change }).map(([name, value]) => {
    const isPart = typeof value === 'object' && !Array.isArray(value);
    return [name, isPart && name in change ? changed(fieldsOf(body[name]), fieldsOf(value)) : value] as const;
  });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

/** A change to undefined for what this order leaves out, so that nothing of a default order stays. */
export function absentOf(order: VideoOrder): Partial<VideoOrder> {
  return order.aspectRatio === undefined ? ({ aspectRatio: undefined } as unknown as Partial<VideoOrder>) : {};
}

/** Media at public addresses, which nobody reads. */
export function mediaAt(addresses: Readonly<Record<'image' | 'video', string>>) {
  return {
    as: async ({ role, url }: OrderMedia) =>
      ({ form: 'https', url: url.startsWith('https:') ? url : addresses[mediaKind(role)] }) as const,
    read: async () => {
      throw new Error('This provider reads no media by itself.');
    },
  };
}

const audioParameters = ['generate_audio', 'sound', 'audio', 'generate_audio_switch', 'keep_original_sound'];

/** The values that a caller can choose for this binding and that no expected body has. */
export function uncoveredValues(model: VideoModel, binding: VideoBinding, { order, changes }: OrderCase): string[] {
  const { seconds, resolutions, aspectRatios } = withBindings(model, [binding]).video;
  const orders = [order, ...changes.map(([change]) => ({ ...order, ...change }))];
  const has = (field: keyof VideoOrder, value: unknown) => orders.some((one) => one[field] === value);
  return [
    ...(binding.outputFollowsSource ? [] : [Math.min(...seconds), Math.max(...seconds)])
      .filter((length) => !has('seconds', length))
      .map((length) => `${length} seconds`),
    ...resolutions.filter((tier) => !has('resolution', tier)),
    ...aspectRatios.filter((ratio) => !has('aspectRatio', ratio)),
    ...binding.parameters.filter((name) => {
      if (name === 'seed') return !has('seed', 0);
      if (audioParameters.includes(name)) return !has('audio', true) || !has('audio', false);
      return !orders.some(({ parameters }) => parameters?.[name] !== undefined);
    }),
  ];
}
