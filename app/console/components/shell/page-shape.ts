import { paths } from '../../paths';
import type { PageShape } from '../ui/skeleton';

const shapes: readonly (readonly [PageShape, readonly string[]])[] = [
  ['figures', [paths.overview(), paths.usage()]],
  ['workbench', [paths.playground(), paths.batch(), paths.messages(), paths.speech()]],
];
/** Below these, a path is that of one thing. */
const lists = [paths.models(), paths.videos(), paths.requests()];

/** How a page of the console looks, as far as its skeleton shows. */
export function shapeOf(href: string): PageShape {
  const path = href.replace(/[?#].*/, '');
  const found = shapes.find(([, pages]) => pages.includes(path));
  if (found) return found[0];
  return lists.some((list) => path.startsWith(`${list}/`)) ? 'detail' : 'list';
}
