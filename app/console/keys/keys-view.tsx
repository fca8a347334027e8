'use client';

import { KeyRound, Plus, Wrench } from 'lucide-react';
import Link from 'next/link';
import useSWR from 'swr';
import type { KeyJson, KeyListJson } from '../../../lib/contract/keys';
import type { Mode } from '../../../lib/domain/video';
import { useUrlState } from '../components/ui/use-url-state';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { FilterSelect } from '../components/ui/select';
import { StaleError } from '../components/shell/request-error';
import { EmptyState, NoMatch } from '../components/ui/list-states';
import { useNow } from '../components/ui/now';
import { SearchField } from '../components/ui/search-field';
import { useDebouncedText } from '../components/ui/use-debounced-text';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { CreateKeyDialog, loadKeyDialogs } from './key-dialogs';
import { filterKeys, hasStatus, KEY_STATUSES, parseKeyStatus } from './key-state';
import { KeyTable } from './key-table';
import { useKeyDialog } from './open-key-dialog';
import { PageHeading } from '../components/ui/page-heading';

/** Frequent, because users who rotate a key watch when the old one was last used. */
const REFRESH_INTERVAL_MS = 5_000;

const STATUS_WORDS = {
  active: 'Active',
  limited: 'Limit reached',
  expiring: 'Expires soon',
  unused: 'Never used',
  disabled: 'Disabled',
  expired: 'Expired',
  revoked: 'Revoked',
} as const;

/** The filter value for keys without a project. */
const NO_PROJECT = 'none';

export interface KeysViewProps {
  readonly keys: readonly KeyJson[];
  /** The id of the signed-in user. */
  readonly me: string;
  readonly mode: Mode;
  readonly baseUrl: string;
  readonly mayEdit: boolean;
  /** Whether the user may grant the scope `manage`. */
  readonly mayManage: boolean;
}

/** All keys of the organisation, of the current mode or of both. */
export function KeysView({ keys, me, mode, baseUrl, mayEdit, mayManage }: KeysViewProps) {
  const nowMs = useNow();
  const { query, change } = useUrlState();
  const { data, error, mutate } = useSWR<Pick<KeyListJson, 'data'>, unknown>(
    apiPaths.keys(),
    (path: string) => ask(path),
    { fallbackData: { data: keys }, refreshInterval: REFRESH_INTERVAL_MS },
  );
  const all = data?.data ?? keys;
  const { openDialog, dialog } = useKeyDialog(baseUrl, mayManage);

  const both = query.get('keys') === 'all';
  const status = parseKeyStatus(query.get('status'));
  // The list updates with each keystroke, the URL after a pause.
  const [search, setSearch] = useDebouncedText(query.get('q') ?? '', (q) => change({ q }, 'replace'));
  const project = query.get('project') ?? '';
  const isOfProject = (key: KeyJson) => project === '' || (key.project?.id ?? NO_PROJECT) === project;
  const ofMode = all.filter((key) => (both || key.mode === mode) && isOfProject(key));
  const projects = new Map(all.flatMap((key) => (key.project ? [[key.project.id, key.project.name] as const] : [])));
  const countOf = (wanted: typeof status) => ofMode.filter((key) => hasStatus(key, wanted, nowMs)).length;
  const shown = filterKeys(ofMode, { ...(status ? { status } : {}), search }, nowMs);
  const creating = mayEdit && query.get('new') === '1';
  const clear = () => {
    setSearch('');
    change({ q: undefined, status: undefined, project: undefined });
  };
  const create = () => change({ new: '1' });
  const other = mode === 'test' ? 'live' : 'test';

  return (
    <>
      <PageHeading
        title="API keys"
        description={
          mode === 'test'
            ? 'Test keys are free: requests run in the sandbox and use test credits.'
            : 'Live keys call real providers and spend real credits.'
        }
        actions={
          <div className="flex flex-wrap items-center gap-2">
            <Link href={paths.setup()} prefetch={false} className={buttonClass({})}>
              <Wrench size={15} aria-hidden="true" /> Set up a tool
            </Link>
            {mayEdit && (
              <Button
                variant="primary"
                data-new
                onPointerEnter={() => void loadKeyDialogs()}
                onFocus={() => void loadKeyDialogs()}
                onClick={create}
              >
                <Plus size={15} aria-hidden="true" /> Create key
              </Button>
            )}
          </div>
        }
      />
      <div className="mb-4 grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
        <SearchField label="Search keys" value={search} onChange={setSearch} width="col-span-2 sm:w-64" />
        <FilterSelect
          label="Status"
          any={`Not revoked (${countOf(undefined)})`}
          value={status ?? ''}
          options={KEY_STATUSES.map((each) => [each, `${STATUS_WORDS[each]} (${countOf(each)})`])}
          onChange={(value) => change({ status: value })}
        />
        <FilterSelect
          label="Mode of the keys"
          any={mode === 'test' ? 'Test keys' : 'Live keys'}
          value={both ? 'all' : ''}
          options={[['all', 'Test and live keys']]}
          onChange={(value) => change({ keys: value })}
        />
        {(projects.size > 0 || project !== '') && (
          <FilterSelect
            label="Project"
            value={project}
            options={[...projects, [NO_PROJECT, 'No project']]}
            onChange={(value) => change({ project: value })}
          />
        )}
        <output aria-live="polite" className="col-span-2 text-xs text-muted sm:ml-auto">
          {shown.length} {shown.length === 1 ? 'key' : 'keys'}
        </output>
      </div>
      <div className="flex flex-col gap-4">
        <StaleError error={error} onRetry={() => void mutate()} />
        {shown.length > 0 ? (
          <KeyTable keys={shown} all={all} me={me} {...(mayEdit ? { onOpen: openDialog } : {})} />
        ) : status === undefined && search === '' && project === '' ? (
          <EmptyState
            icon={KeyRound}
            title={both ? 'No keys yet' : `No ${mode} keys yet`}
            description={`An app sends a key with every request to /v1.${!both && all.some((key) => key.mode === other && key.status !== 'revoked') ? ` There are ${other} keys.` : ''}`}
          >
            {mayEdit && (
              <Button variant="primary" onClick={create}>
                <Plus size={15} aria-hidden="true" /> Create a {mode} key
              </Button>
            )}
          </EmptyState>
        ) : (
          <NoMatch noun="keys" onClear={clear} />
        )}
      </div>
      {creating && (
        <CreateKeyDialog
          mode={mode}
          baseUrl={baseUrl}
          mayManage={mayManage}
          project={project === NO_PROJECT ? '' : project}
          onClose={() => change({ new: undefined }, 'replace')}
        />
      )}
      {dialog}
    </>
  );
}
