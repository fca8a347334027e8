'use client';

import Link from 'next/link';
import { useState, type ReactNode } from 'react';
import useSWR from 'swr';
import type { KeyJson } from '../../../lib/contract/keys';
import type { OrganizationPolicyJson, PolicyFieldsJson } from '../../../lib/contract/policies';
import type { ProjectJson } from '../../../lib/contract/projects';
import type { Mode } from '../../../lib/domain/video';
import { PolicyFacts } from '../components/policy/policy-facts';
import { policyRestrictions } from '../components/policy/policy-draft';
import { StaleError } from '../components/shell/request-error';
import { Button } from '../components/ui/button';
import { Card, Section } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { linkClass } from '../components/ui/link-class';
import { Cell, Row, Table } from '../components/ui/table';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { Simulator, type SimulatedModel } from './simulator';
import { PageHeading } from '../components/ui/page-heading';
import { onDemand } from '../components/ui/on-demand';

// Loads when it is first opened.
const PolicyDialog = onDemand(() => import('./policy-dialog').then((module) => module.PolicyDialog));

const COLUMNS = [{ title: 'Level' }, { title: 'Name' }, { title: 'Restrictions' }] as const;

export interface PoliciesViewProps {
  readonly mode: Mode;
  readonly initial: OrganizationPolicyJson;
  readonly projects: readonly ProjectJson[];
  /** The keys of the mode that are not revoked. */
  readonly keys: readonly KeyJson[];
  readonly models: readonly SimulatedModel[];
  readonly mayEdit: boolean;
}

/** The policy of the organisation, the policies of all levels, and the simulator. */
export function PoliciesView({ mode, initial, projects, keys, models, mayEdit }: PoliciesViewProps) {
  const { data, error, mutate } = useSWR<OrganizationPolicyJson, unknown>(
    apiPaths.organizationPolicy(),
    (path: string) => ask(path),
    { fallbackData: initial },
  );
  const policy = data ?? initial;
  const [isOpen, setOpen] = useState(false);
  const restricted = <Level extends PolicyFieldsJson>(levels: readonly Level[]) =>
    levels.filter((each) => policyRestrictions(each).length > 0);
  const restrictedProjects = restricted(projects);
  const restrictedKeys = restricted(keys);

  return (
    <>
      <PageHeading
        title="Policies"
        description="A request must be allowed by the organisation, by the project of its key and by the key. Changes take effect within 5 seconds."
      />
      <div className="flex flex-col gap-8">
        <StaleError error={error} onRetry={() => void mutate()} />
        <Section
          id="organization"
          title="Organisation"
          description="Applies to all keys, and to people in the console."
          actions={mayEdit && <Button onClick={() => setOpen(true)}>Edit</Button>}
        >
          <Card className="p-4 sm:px-5">
            <PolicyFacts of={policy} />
          </Card>
        </Section>
        <Simulator keys={keys} models={models} />
        <Section
          id="levels"
          title="Projects and keys"
          description={`Projects and ${mode} keys that have their own policy.`}
        >
          {restrictedProjects.length + restrictedKeys.length === 0 ? (
            <p className="text-sm text-muted">
              No project and no {mode} key has a policy. Set one under{' '}
              <Link href={paths.projects(mode)} className={linkClass}>
                Projects
              </Link>{' '}
              and{' '}
              <Link href={paths.keys()} className={linkClass}>
                API keys
              </Link>
              .
            </p>
          ) : (
            <Card>
              <Table label="Policies of projects and keys" columns={COLUMNS}>
                {restrictedProjects.map((project) => (
                  <LevelRow key={project.id} level="Project" policy={project}>
                    <Link href={paths.project(project.id, mode)} className={linkClass}>
                      {project.name}
                    </Link>
                  </LevelRow>
                ))}
                {restrictedKeys.map((key) => (
                  <LevelRow key={key.id} level="Key" policy={key}>
                    <Link href={paths.keysNamed(key.name, key.mode)} className={linkClass}>
                      {key.name}
                    </Link>
                    {key.project && <div className="text-xs text-muted">in {key.project.name}</div>}
                  </LevelRow>
                ))}
              </Table>
            </Card>
          )}
        </Section>
      </div>
      {isOpen && <PolicyDialog of={policy} onSaved={() => mutate()} onClose={() => setOpen(false)} />}
    </>
  );
}

function LevelRow({
  level,
  policy,
  children,
}: {
  readonly level: string;
  readonly policy: PolicyFieldsJson;
  readonly children: ReactNode;
}) {
  return (
    <Row>
      <Cell name="Level">
        <Chip tone="neutral">{level}</Chip>
      </Cell>
      <Cell name="Name" className="font-medium @4xl/table:whitespace-nowrap">
        {children}
      </Cell>
      <Cell full className="@4xl/table:w-full">
        <PolicyFacts of={policy} />
      </Cell>
    </Row>
  );
}
