'use client';

import { KeyRound } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import useSWR from 'swr';
import type { KeyJson } from '../../../lib/contract/keys';
import type { ProjectJson } from '../../../lib/contract/projects';
import type { UsageJson } from '../../../lib/contract/usage';
import type { Mode } from '../../../lib/domain/video';
import { PolicyFacts } from '../components/policy/policy-facts';
import { StaleError } from '../components/shell/request-error';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { Section } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { Id } from '../components/ui/facts';
import { EmptyState } from '../components/ui/list-states';
import { Money } from '../components/ui/money';
import { Panel } from '../components/ui/panel';
import { TimeAgo } from '../components/ui/time-ago';
import { ask } from '../console-api';
import { KeyTable } from '../keys/key-table';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { UsageChart } from '../usage/usage-chart';
import { Budget } from './budget';
import { PageHeading } from '../components/ui/page-heading';
import { onDemand } from '../components/ui/on-demand';

// Each dialog loads when it is first opened.
const ProjectDialog = onDemand(() => import('./project-dialog').then((module) => module.ProjectDialog));
const DeleteProjectDialog = onDemand(() =>
  import('./delete-project-dialog').then((module) => module.DeleteProjectDialog),
);

const REFRESH_INTERVAL_MS = 5_000;

export interface ProjectViewProps {
  readonly mode: Mode;
  readonly initial: ProjectJson;
  /** The keys of the mode that are not revoked. */
  readonly keys: readonly KeyJson[];
  /** The usage of the project, by key and day. */
  readonly spending: UsageJson;
  /** The current day in UTC, as an ISO date. */
  readonly today: string;
  /** The id of the signed-in user. */
  readonly me: string;
  readonly mayEdit: boolean;
  readonly mayCreateKeys: boolean;
}

/** The budget, the policy, the keys and the spending of one project. */
export function ProjectView({ mode, initial, keys, spending, today, me, mayEdit, mayCreateKeys }: ProjectViewProps) {
  const router = useRouter();
  const { data, error, mutate } = useSWR<ProjectJson, unknown>(
    apiPaths.project(initial.id, mode),
    (path: string) => ask(path),
    { fallbackData: initial, refreshInterval: REFRESH_INTERVAL_MS },
  );
  const project = data ?? initial;
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const close = () => setDialog(undefined);
  const hasSpent = Number(spending.total.spent) > 0;

  return (
    <>
      <PageHeading
        parent={{ title: 'Projects', path: paths.projects(mode), here: project.name }}
        title={project.name}
        chips={<Chip tone={mode === 'test' ? 'accent' : 'neutral'}>{mode}</Chip>}
        description={
          <span className="flex flex-wrap items-center gap-x-2">
            <span>
              Created <TimeAgo at={project.created_at} />
            </span>
            <Id id={project.id} label="Copy the id of the project" isPages />
          </span>
        }
        actions={
          mayEdit && (
            <div className="flex gap-2">
              <Button onClick={() => setDialog('edit')}>Edit</Button>
              <Button variant="quiet" onClick={() => setDialog('delete')}>
                Delete
              </Button>
            </div>
          )
        }
      />
      <div className="flex flex-col gap-8">
        <StaleError error={error} onRetry={() => void mutate()} />
        <div className="grid gap-4 lg:grid-cols-[auto_1fr]">
          <Panel title="Budget" description={`Spent ${mode} credits, including holds of running work.`}>
            <Budget of={project} />
          </Panel>
          <Panel title="Policy" description="Limits what each key of the project may do.">
            <PolicyFacts of={project} />
          </Panel>
        </div>
        <Section
          id="spending"
          title="Spending"
          description={
            hasSpent ? (
              <>
                <Money amount={spending.total.spent} /> by its current keys in the last 30 days.
              </>
            ) : (
              `Its current ${mode} keys have spent nothing in the last 30 days.`
            )
          }
        >
          {hasSpent && <UsageChart usage={spending} measure="spent" today={today} />}
        </Section>
        <Section
          id="keys"
          title={`${mode === 'test' ? 'Test' : 'Live'} keys`}
          actions={
            <>
              <Link href={paths.keysOfProject(project.id, mode)} className={buttonClass({})}>
                Manage keys
              </Link>
              {mayCreateKeys && (
                <Link
                  href={paths.keysOfProject(project.id, mode, { new: '1' })}
                  className={buttonClass({ variant: 'primary' })}
                >
                  Create key
                </Link>
              )}
            </>
          }
        >
          {keys.length > 0 ? (
            <KeyTable keys={keys} all={keys} me={me} />
          ) : (
            <EmptyState
              icon={KeyRound}
              title={`No ${mode} keys in this project`}
              description="Create a key here, or edit an existing key and choose this project."
            />
          )}
        </Section>
      </div>
      {dialog === 'edit' && <ProjectDialog mode={mode} of={project} onSaved={() => mutate()} onClose={close} />}
      {dialog === 'delete' && (
        <DeleteProjectDialog of={project} onDeleted={async () => router.push(paths.projects(mode))} onClose={close} />
      )}
    </>
  );
}
