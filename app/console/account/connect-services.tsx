'use client';

import { signInElsewhere, type Service } from '../components/auth/browser-sign-in';
import { confirmIdentity } from '../components/auth/confirm-identity';
import { SERVICE_NAMES } from '../components/auth/service-buttons';
import { Button } from '../components/ui/button';
import { Card, Section } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { FormError } from '../components/ui/field';
import { useAsyncAction } from '../components/ui/use-async-action';
import { paths } from '../paths';

/** Slightly less than the server's ten minutes: the redirect to the service and back takes time. */
const FRESH_MS = 8 * 60_000;

/** The sign-in services of this installation, and which of them the user has connected. */
export function ConnectServices({
  services,
  signedInAtMs,
}: {
  readonly services: readonly { readonly service: Service; readonly connected: boolean }[];
  readonly signedInAtMs: number;
}) {
  const { busy, error, run } = useAsyncAction('The service could not be reached. Try again.');

  const connect = (service: Service) =>
    run(async () => {
      if (Date.now() - signedInAtMs > FRESH_MS && !(await confirmIdentity())) return;
      const result = await signInElsewhere(service, paths.account());
      if (!result.ok) throw new Error(result.message);
    });

  return (
    <Section
      id="services"
      title="Other ways to sign in"
      description="Connect a service to sign in without your password."
    >
      <Card>
        {error && (
          <div className="p-4 pb-0">
            <FormError>{error}</FormError>
          </div>
        )}
        <ul className="divide-y divide-line">
          {services.map(({ service, connected }) => (
            <li key={service} className="flex min-h-14 items-center justify-between gap-4 px-4 py-2 text-sm sm:px-5">
              <span className="font-medium">{SERVICE_NAMES[service]}</span>
              {connected ? (
                <Chip tone="good">Connected</Chip>
              ) : (
                <Button size="small" busy={busy} onClick={() => void connect(service)}>
                  Connect {SERVICE_NAMES[service]}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
