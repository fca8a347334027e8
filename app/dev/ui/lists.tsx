'use client';

import { CircleCheck, CircleX, Clapperboard, Clock } from 'lucide-react';
import { useState } from 'react';
import { BarChart, Legend } from '../../console/components/ui/bar-chart';
import { Button } from '../../console/components/ui/button';
import { Chip } from '../../console/components/ui/chip';
import { LimitBar } from '../../console/components/ui/limit-bar';
import { EmptyState, NoMatch } from '../../console/components/ui/list-states';
import { Fact, Facts, Id } from '../../console/components/ui/facts';
import { PageHeading } from '../../console/components/ui/page-heading';
import { PageNav } from '../../console/components/ui/page-nav';
import { ScrollRegion } from '../../console/components/ui/scroll-region';
import { Skeleton, SkeletonPage, SkeletonRows } from '../../console/components/ui/skeleton';
import { Panel } from '../../console/components/ui/panel';
import { RetryNotice } from '../../console/components/ui/retry-notice';
import { StatusPage } from '../../console/components/ui/status-page';
import { Cell, Row, Table } from '../../console/components/ui/table';
import { Tabs } from '../../console/components/ui/tabs';
import { Timeline } from '../../console/components/ui/timeline';
import { toast } from '../../console/components/ui/toast';
import { Example, Room } from './example';

const VIDEOS = [
  { id: 'video_1', model: 'sandbox-t2v', cost: '$0.05' },
  { id: 'video_2', model: 'veo-3.1-t2v', cost: '$3.20' },
];
const DAYS = ['20 Nov', '21 Nov', '22 Nov', '23 Nov'];
const SERIES = [
  { name: 'First', values: [3, 5, 0, 2] },
  { name: 'Others', isRest: true, values: [1, 2, -1, 1] },
];
const START_SECONDS = 1_795_348_620;

export function Lists() {
  const [tab, setTab] = useState('curl');
  return (
    <>
      <Example file="page-heading">
        <div className="w-full">
          <PageHeading
            title="API keys"
            chips={<Chip tone="accent">test</Chip>}
            description="Test keys are free: requests run in the sandbox and use test credits."
            actions={<Button variant="primary">Create key</Button>}
            parent={{ title: 'Projects', path: '#', here: 'My app' }}
          />
        </div>
      </Example>
      <Example file="table">
        <div className="w-full min-w-0 overflow-hidden rounded-xl border border-line bg-surface">
          <Table label="Videos" columns={[{ title: 'Id' }, { title: 'Model' }, { title: 'Cost', align: 'right' }]}>
            {VIDEOS.map(({ id, model, cost }) => (
              <Row key={id}>
                <Cell name="Id">{id}</Cell>
                <Cell name="Model">{model}</Cell>
                <Cell name="Cost" align="right">
                  {cost}
                </Cell>
              </Row>
            ))}
          </Table>
        </div>
      </Example>
      <Example file="tabs">
        <Room>
          <Tabs
            label="Language"
            value={tab}
            onChange={setTab}
            tabs={['curl', 'TypeScript', 'Python'].map((title) => ({
              value: title,
              title,
              children: (
                <div className="p-4 text-sm">
                  <Button size="small">Copy {title}</Button>
                </div>
              ),
            }))}
          />
        </Room>
      </Example>
      <Example file="timeline">
        <Room>
          <Timeline
            label="Progress"
            steps={[
              { key: 'queued', icon: Clock, tone: 'neutral', title: 'Queued', at: START_SECONDS },
              {
                key: 'failed',
                icon: CircleX,
                tone: 'bad',
                title: 'Attempt failed',
                description: 'The provider answered 503. The next provider is tried.',
                at: START_SECONDS + 1.25,
                after: '+1.3 s',
              },
              {
                key: 'completed',
                icon: CircleCheck,
                tone: 'good',
                title: 'Completed',
                at: START_SECONDS + 62,
                after: '+62 s',
              },
            ]}
          />
        </Room>
      </Example>
      <Example file="facts">
        <Room>
          <Facts>
            <Fact name="Length">8 s</Fact>
            <Fact name="Size">1280 × 720</Fact>
            <Fact name="Video id" wide>
              <Id id="video_0123456789abcdef0123456789abcdef" label="Copy the video id" />
            </Fact>
          </Facts>
        </Room>
      </Example>
      <Example file="panel">
        <Room>
          <Panel title="Timeline" description="Times are UTC.">
            <p className="text-sm">Its content.</p>
          </Panel>
        </Room>
      </Example>
      <Example file="limit-bar">
        <LimitBar label="Used of the limit" spent="2" amount="10" description="Resets in 3 days" />
        <LimitBar label="Nearly used up" spent="8.5" amount="10" />
        <LimitBar label="Used up" spent="10" amount="10" />
      </Example>
      <Example file="bar-chart">
        <div className="w-full">
          <BarChart
            label="Two series"
            bars={DAYS.map((day, place) => ({ label: day, isPartial: place === DAYS.length - 1 }))}
            series={SERIES}
            format={(value) => String(value)}
            details={(bar) => ({ title: DAYS[bar] ?? '', total: '4', lines: [{ name: 'First', value: '3' }] })}
          />
          <Legend series={SERIES} />
        </div>
      </Example>
      <Example file="page-nav">
        <Room>
          <PageNav label="Pages" isFirst={false} next="next" onChange={() => undefined} />
        </Room>
      </Example>
      <Example file="scroll-region">
        <Room>
          <ScrollRegion label="A long line" className="rounded-xl border border-line bg-surface p-3">
            <p className="w-max text-sm">{'A line that is wider than its region and scrolls sideways. '.repeat(3)}</p>
          </ScrollRegion>
        </Room>
      </Example>
      <Example file="skeleton">
        <Room>
          <Skeleton className="h-4 w-40" />
        </Room>
        <div className="w-full">
          <SkeletonRows rows={2} label="Loading videos" late={false} />
        </div>
        {(['list', 'figures', 'workbench', 'detail'] as const).map((shape) => (
          <div key={shape} className="max-h-40 w-full overflow-hidden" inert>
            <SkeletonPage title="Videos" shape={shape} />
          </div>
        ))}
      </Example>
      <Example file="list-states">
        <div className="w-full">
          <EmptyState icon={Clapperboard} title="No videos yet" description="Videos that you generate appear here.">
            <Button variant="primary">Generate a video</Button>
          </EmptyState>
        </div>
        <div className="w-full">
          <NoMatch noun="videos" onClear={() => toast('Filters cleared.')} />
        </div>
      </Example>
      <Example file="retry-notice">
        <RetryNotice className="bg-warn/8" onRetry={() => undefined}>
          This data may be out of date. The server could not be reached.
        </RetryNotice>
      </Example>
      <Example file="status-page">
        <div className="w-full rounded-xl border border-line">
          <StatusPage framed title="This page does not exist" description="The link may be old.">
            <Button>Go to the overview</Button>
          </StatusPage>
        </div>
      </Example>
    </>
  );
}
