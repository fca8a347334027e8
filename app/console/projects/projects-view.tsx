'use client';

import { FolderKanban, Plus } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import useSWR from 'swr';
import type { ProjectJson, ProjectListJson } from '../../../lib/contract/projects';
import type { Mode } from '../../../lib/domain/video';
import { policyRestrictions } from '../components/policy/policy-draft';
import { StaleError } from '../components/shell/request-error';
import { Button } from '../components/ui/button';
import { Card } from '../components/ui/card';
import { linkClass } from '../components/ui/link-class';
import { EmptyState } from '../components/ui/list-states';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { useUrlState } from '../components/ui/use-url-state';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { Budget } from './budget';
import { PageHeading } from '../components/ui/page-heading';
import { onDemand } from '../components/ui/on-demand';

// Each dialog loads when it is first opened.
const ProjectDialog = onDemand(() => import('./project-dialog').then((module) => module.ProjectDialog));
const DeleteProjectDialog = onDemand(() =>
  import('./delete-project-dialog').then((module) => module.DeleteProjectDialog),
);

const REFRESH_INTERVAL_MS = 15_000;

const COLUMNS = [
  { title: 'Project' },
  { title: 'Budget' },
  { title: 'Keys', align: 'right' },
  { title: 'Policy' },
] as const;
const ACTIONS = { title: 'Actions', hidden: true, align: 'right' } as const;

/** The projects of the organisation. Without `mayEdit` the list is read-only. */
export function ProjectsView({
  mode,
  initial,
  mayEdit,
}: {
  readonly mode: Mode;
  readonly initial: readonly ProjectJson[];
  readonly mayEdit: boolean;
}) {
  const { query, change } = useUrlState();
  const { data, error, mutate } = useSWR<Pick<ProjectListJson, 'data'>, unknown>(
    apiPaths.projects(mode),
    (path: string) => ask(path),
    { fallbackData: { data: initial }, refreshInterval: REFRESH_INTERVAL_MS },
  );
  const projects = data?.data ?? initial;
  const [opened, setOpened] = useState<{ readonly dialog: 'edit' | 'delete'; readonly of: ProjectJson }>();
  const close = () => setOpened(undefined);
  const create = (
    <Button variant="primary" data-new onClick={() => change({ new: '1' })}>
      <Plus size={15} aria-hidden="true" /> Create project
    </Button>
  );

  return (
    <>
      <PageHeading
        title="Projects"
        description={<>A project is a group of keys with a budget and a policy. Spending is shown in {mode} credits.</>}
        actions={mayEdit && projects.length > 0 && create}
      />
      <div className="flex flex-col gap-4">
        <StaleError error={error} onRetry={() => void mutate()} />
        {projects.length === 0 ? (
          <EmptyState
            icon={FolderKanban}
            title="No projects yet"
            description="Group the keys of an app or a team, and limit what they spend and use together."
          >
            {mayEdit && create}
          </EmptyState>
        ) : (
          <Card>
            <Table label="Projects" columns={mayEdit ? [...COLUMNS, ACTIONS] : COLUMNS}>
              {projects.map((project) => (
                <Row key={project.id}>
                  <Cell full className="@4xl/table:w-full @4xl/table:max-w-0">
                    <Link href={paths.project(project.id, mode)} className="block truncate font-medium hover:underline">
                      {project.name}
                    </Link>
                    <div className="text-xs text-muted">
                      Created <TimeAgo at={project.created_at} />
                    </div>
                  </Cell>
                  <Cell name="Budget">
                    <Budget of={project} />
                  </Cell>
                  <Cell name="Keys" align="right">
                    <Link href={paths.keysOfProject(project.id, mode)} className={linkClass}>
                      {project.keys}
                    </Link>
                  </Cell>
                  <Cell name="Policy" className="whitespace-nowrap text-muted">
                    {restrictionCount(project)}
                  </Cell>
                  {mayEdit && (
                    <Cell full align="right" className="whitespace-nowrap">
                      <span className="inline-flex gap-1">
                        <Button
                          size="small"
                          aria-label={`Edit ${project.name}`}
                          onClick={() => setOpened({ dialog: 'edit', of: project })}
                        >
                          Edit
                        </Button>
                        <Button
                          size="small"
                          variant="quiet"
                          aria-label={`Delete ${project.name}`}
                          onClick={() => setOpened({ dialog: 'delete', of: project })}
                        >
                          Delete
                        </Button>
                      </span>
                    </Cell>
                  )}
                </Row>
              ))}
            </Table>
          </Card>
        )}
      </div>
      {mayEdit && query.get('new') === '1' && (
        <ProjectDialog mode={mode} onSaved={() => mutate()} onClose={() => change({ new: undefined }, 'replace')} />
      )}
      {opened?.dialog === 'edit' && (
        <ProjectDialog mode={mode} of={opened.of} onSaved={() => mutate()} onClose={close} />
      )}
      {opened?.dialog === 'delete' && <DeleteProjectDialog of={opened.of} onDeleted={() => mutate()} onClose={close} />}
    </>
  );
}

function restrictionCount(project: ProjectJson): string {
  const { length } = policyRestrictions(project);
  return length === 0 ? 'Allows everything' : `${length} ${length === 1 ? 'restriction' : 'restrictions'}`;
}
