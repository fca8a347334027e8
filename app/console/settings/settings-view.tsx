'use client';

import { Bell, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useRef, useState, type FormEvent } from 'react';
import useSWR from 'swr';
import type { OrganizationSettingsJson } from '../../../lib/contract/organizations';
import type { Role } from '../../../lib/domain/caller';
import type { Retention } from '../../../lib/domain/retention';
import { may, mayChange } from '../../../lib/domain/roles';
import { StaleError } from '../components/shell/request-error';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { Card, Section } from '../components/ui/card';
import { Fact, Facts, Id } from '../components/ui/facts';
import { FormError, TextField } from '../components/ui/field';
import { days } from '../components/ui/numbers';
import { Select } from '../components/ui/select';
import { Switch } from '../components/ui/switch';
import { TimeAgo } from '../components/ui/time-ago';
import { toast } from '../components/ui/toast';
import { useAsyncAction } from '../components/ui/use-async-action';
import { ask, send } from '../console-api';
import { OrganizationNav } from '../members/organization-nav';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { PageHeading } from '../components/ui/page-heading';
import { onDemand } from '../components/ui/on-demand';

// Loads when it is first opened.
const ConfirmDialog = onDemand(() => import('../components/ui/confirm-dialog').then((module) => module.ConfirmDialog));
const DeleteDialog = onDemand(() => import('./delete-dialog').then((module) => module.DeleteDialog));

/** The settings of the organisation. Read-only without the role of an admin. */
export function SettingsView({
  initial,
  role,
  retention,
}: {
  readonly initial: OrganizationSettingsJson;
  readonly role: Role;
  readonly retention: Retention;
}) {
  const { data, error, mutate } = useSWR(
    apiPaths.organization(),
    (path: string) => ask<OrganizationSettingsJson>(path),
    { fallbackData: initial },
  );
  const [deleting, setDeleting] = useState(false);
  const mayEdit = mayChange(
    {
      role,
      orgSuspended: data.suspended,
      orgDeletesAtMs: data.deletes_at === null ? undefined : data.deletes_at * 1_000,
    },
    'settings',
  );

  return (
    <>
      <PageHeading
        title="Settings"
        description="The name of this organisation and how it treats requests."
        nav={<OrganizationNav role={role} />}
      />

      <div className="flex max-w-2xl flex-col gap-10">
        <StaleError error={error} onRetry={() => void mutate()} />
        <Facts>
          <Fact name="Id" wide>
            <Id id={data.id} label="Copy the id of the organisation" isPages />
          </Fact>
          <Fact name="Created">
            <TimeAgo at={data.created_at} />
          </Fact>
          {!mayEdit && (
            <>
              <Fact name="Name" wide>
                {data.name}
              </Fact>
              {[CONVERSATIONS, SPEECH_TEXTS].map(({ field, title }) => (
                <Fact key={field} name={title} wide>
                  {data[field] === null ? 'Not kept' : `Kept for ${days(data[field])}`}
                </Fact>
              ))}
              <Fact name="Automatic SDK retries" wide>
                {data.replay_retries ? 'Return the first video' : 'Create a new video'}
              </Fact>
            </>
          )}
        </Facts>
        {mayEdit && (
          <>
            <NameSection name={data.name} onSaved={(settings) => mutate(settings, { revalidate: false })} />
            <RetriesSection
              replays={data.replay_retries}
              onSaved={(settings) => mutate(settings, { revalidate: false })}
            />
            {[CONVERSATIONS, SPEECH_TEXTS].map((keeping) => (
              <KeepingSection
                key={keeping.id}
                keeping={keeping}
                settings={data}
                onSaved={(settings) => mutate(settings, { revalidate: false })}
              />
            ))}
          </>
        )}
        <Section
          id="alerts"
          title="Alerts"
          description="Alerts when the balance falls below an amount, or when daily or monthly spending exceeds one."
        >
          <Link href={paths.alerts()} prefetch={false} className={buttonClass({})}>
            <Bell size={14} aria-hidden="true" /> Alerts
          </Link>
        </Section>
        <Section
          id="retention"
          title="What is kept, and for how long"
          description="The operator of this installation sets these times. Audio is never stored."
        >
          <Facts>
            <Fact name="Requests and ledger entries" wide>
              {days(retention.usageDays)}
            </Fact>
            <Fact name="Prompts of completed videos" wide>
              {days(retention.inputDays)}
            </Fact>
            <Fact name="Webhook deliveries" wide>
              {days(retention.webhookDays)}
            </Fact>
            <Fact name="Audit log" wide>
              {days(retention.auditDays)}
            </Fact>
          </Facts>
        </Section>
        {mayEdit && may(role, 'deletion') && (
          <Section
            id="delete"
            title="Delete the organisation"
            description="Everything is refused from then on. An owner can restore it for 7 days; then it is erased."
          >
            <Button variant="danger" onClick={() => setDeleting(true)}>
              <Trash2 size={14} aria-hidden="true" /> Delete organisation…
            </Button>
          </Section>
        )}
      </div>
      {deleting && <DeleteDialog name={data.name} onClose={() => setDeleting(false)} />}
    </>
  );
}

function NameSection({
  name,
  onSaved,
}: {
  readonly name: string;
  onSaved(settings: OrganizationSettingsJson): Promise<unknown>;
}) {
  const router = useRouter();
  const [text, setText] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  const { busy, error, run } = useAsyncAction('The name could not be changed. Try again.');

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      await onSaved(await send<OrganizationSettingsJson>('PATCH', apiPaths.organization(), { name: text }));
      // The button is disabled now, and a disabled button loses the focus.
      field.current?.focus();
      // The name is also in the frame, which the server renders.
      router.refresh();
    });
  }

  return (
    <Section id="name" title="Name" description="Members see it in the console and in e-mails.">
      <Card className="p-4 sm:p-5">
        <form method="post" onSubmit={submit} className="flex flex-col gap-4">
          <FormError>{error}</FormError>
          <TextField
            label="Name of the organisation"
            ref={field}
            value={text}
            maxLength={100}
            required
            autoComplete="organization"
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" variant="primary" busy={busy} disabled={text.trim() === name} className="self-start">
            Save name
          </Button>
        </form>
      </Card>
    </Section>
  );
}

function RetriesSection({
  replays,
  onSaved,
}: {
  readonly replays: boolean;
  onSaved(settings: OrganizationSettingsJson): Promise<unknown>;
}) {
  const { error, run } = useAsyncAction('The setting could not be changed. Try again.');
  return (
    <Section id="retries" title="Automatic SDK retries">
      <Card className="p-4 sm:p-5">
        <FormError>{error}</FormError>
        <Switch
          label="Answer an automatic retry with the first video"
          description="SDKs resend a submission if its response is lost. If this is off, the retry creates a second video, which costs as much as the first."
          checked={replays}
          onChange={(checked) =>
            void run(async () => {
              const saved = await send<OrganizationSettingsJson>('PATCH', apiPaths.organization(), {
                replay_retries: checked,
              });
              await onSaved(saved);
              toast(checked ? 'Retries return the first video.' : 'Retries create new videos.');
            })
          }
        />
      </Card>
    </Section>
  );
}

const KEPT_DAYS = [1, 7, 30, 90];

/** A kind of content that an organisation can choose to store. */
interface Keeping {
  readonly field: 'keep_messages_days' | 'keep_speech_days';
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The content, as the first word of a sentence. */
  readonly noun: string;
  readonly label: string;
  readonly erased: string;
}

const CONVERSATIONS: Keeping = {
  field: 'keep_messages_days',
  id: 'conversations',
  title: 'Conversations of messages',
  description:
    'Requests of the messages API and their answers, shown on the page of each message. Every member can read them there. They are not stored unless you choose to.',
  noun: 'Conversations',
  label: 'Keep conversations',
  erased:
    'The conversations that are kept now are erased, and later ones are not stored. The messages stay in the log, with their tokens and costs.',
};
const SPEECH_TEXTS: Keeping = {
  field: 'keep_speech_days',
  id: 'speech-texts',
  title: 'Texts of speech',
  description:
    'Transcribed and spoken texts, shown on the page of each session. Every member can read them there. They are not stored unless you choose to; audio never is.',
  noun: 'Texts of speech',
  label: 'Keep texts of speech',
  erased:
    'The texts that are kept now are erased, and later ones are not stored. The sessions stay in the log, with their times and costs.',
};

function KeepingSection({
  keeping: { field, id, title, description, noun, label, erased },
  settings,
  onSaved,
}: {
  readonly keeping: Keeping;
  readonly settings: OrganizationSettingsJson;
  onSaved(settings: OrganizationSettingsJson): Promise<unknown>;
}) {
  const kept = settings[field];
  const { error, run } = useAsyncAction('The setting could not be changed. Try again.');
  const [erasing, setErasing] = useState(false);
  const choices = [...new Set([...KEPT_DAYS, ...(kept === null ? [] : [kept])])].toSorted((one, other) => one - other);

  async function save(wanted: number | null) {
    await onSaved(await send<OrganizationSettingsJson>('PATCH', apiPaths.organization(), { [field]: wanted }));
    toast(wanted === null ? `${noun} are not kept.` : `${noun} are kept for ${days(wanted)}.`);
  }

  return (
    <Section id={id} title={title} description={description}>
      <Card className="p-4 sm:p-5">
        <FormError>{error}</FormError>
        <Select
          label={label}
          shown
          className="max-w-56"
          value={String(kept ?? '')}
          onChange={(value) => {
            if (value === '') setErasing(true);
            else void run(() => save(Number(value)));
          }}
          options={[
            { value: '', label: 'Not kept' },
            ...choices.map((count) => ({ value: String(count), label: `For ${days(count)}` })),
          ]}
        />
      </Card>
      {erasing && (
        <ConfirmDialog
          title={`Erase all ${noun.toLowerCase()}?`}
          confirmLabel="Erase them"
          fallbackError="The setting could not be changed. Try again."
          onConfirm={async () => {
            await save(null);
            setErasing(false);
          }}
          onClose={() => setErasing(false)}
        >
          <p className="text-sm">{erased}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
