'use client';

import type { ReactNode } from 'react';
import { ListError, StaleError } from '../shell/request-error';
import { PageNav } from '../ui/page-nav';
import { SkeletonRows } from '../ui/skeleton';
import type { LiveList } from './use-list';

/**
 * Renders a live list while it loads, if it fails, if it is empty and if it has entries, with the page buttons below.
 */
export function ListBody<Item>({
  list: { data, latest, error, isLoading, isLate, retry },
  noun,
  isFirst,
  onPage,
  empty,
  children,
}: {
  readonly list: LiveList<Item>;
  /** Plural, such as "videos". */
  readonly noun: string;
  /** Whether this is the first page. */
  readonly isFirst: boolean;
  /** Opens the page that follows the entry with this id, or the first page if it is undefined. */
  onPage(after: string | undefined): void;
  /** Shown if the list has no entries. */
  readonly empty: ReactNode;
  children(items: readonly Item[]): ReactNode;
}) {
  return (
    <>
      <output aria-live="polite" className="sr-only">
        {data ? `${data.data.length}${data.has_more ? ' or more' : ''} ${noun}` : ''}
      </output>
      <div className="flex flex-col gap-4">
        {data && <StaleError error={error} onRetry={retry} />}
        {!data && error !== undefined && <ListError error={error} busy={isLoading} onRetry={retry} />}
        {!data &&
          error === undefined &&
          (isLate || !latest ? (
            <SkeletonRows rows={8} label={`Loading ${noun}`} late={!isLate} />
          ) : (
            latest.data.length > 0 && children(latest.data)
          ))}
        {data && data.data.length > 0 && children(data.data)}
        {data?.data.length === 0 && isFirst && empty}
        {data && (!isFirst || data.has_more) && (
          <PageNav
            label={`Pages of ${noun}`}
            isFirst={isFirst}
            next={data.has_more ? data.last_id : null}
            onChange={onPage}
          />
        )}
      </div>
    </>
  );
}
