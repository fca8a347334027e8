import dynamic from 'next/dynamic';

// Not part of what a page needs to be shown; `loadKeyDialogs` fetches them ahead of the click.

const create = () => import('./create-key-dialog').then((module) => module.CreateKeyDialog);
const rotate = () => import('./rotate-key-dialog').then((module) => module.RotateKeyDialog);
const revoke = () => import('./revoke-key-dialog').then((module) => module.RevokeKeyDialog);

export const CreateKeyDialog = dynamic(create);
export const RotateKeyDialog = dynamic(rotate);
export const RevokeKeyDialog = dynamic(revoke);

export async function loadKeyDialogs(): Promise<void> {
  await Promise.all([create(), rotate(), revoke()]);
}
