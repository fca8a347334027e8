import { paths } from '../../paths';
import type { PageShape } from '../ui/skeleton';

const shapes: readonly (readonly [PageShape, readonly string[]])[] = [
  ['figures', [paths.overview(), paths.usage()]],
  ['workbench', [paths.playground(), paths.batch(), paths.messages(), paths.speech()]],
];
/** A path below one of these is the page of a single object. */
const lists = [paths.models(), paths.videos(), paths.requests()];

/** Returns the shape of the skeleton that is shown while a page loads. */
export function shapeOf(href: string): PageShape {
  const path = href.replace(/[?#].*/, '');
  const found = shapes.find(([, pages]) => pages.includes(path));
  if (found) return found[0];
  return lists.some((list) => path.startsWith(`${list}/`)) ? 'detail' : 'list';
}
