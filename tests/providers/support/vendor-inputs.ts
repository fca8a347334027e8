import { fieldsOf, type Fields } from '../../../lib/domain/json';
import { mediaKind, type OrderMedia, type VideoOrder } from '../../../lib/domain/video';

// Helpers for tests that compare the requests of a vendor with bodies that are written by hand.

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
