import dynamic from 'next/dynamic';

// Loaded on demand. `loadKeyDialogs` preloads them when the pointer or focus reaches a button that opens one.

const create = () => import('./create-key-dialog').then((module) => module.CreateKeyDialog);
const edit = () => import('./edit-key-dialog').then((module) => module.EditKeyDialog);
const rotate = () => import('./rotate-key-dialog').then((module) => module.RotateKeyDialog);
const revoke = () => import('./revoke-key-dialog').then((module) => module.RevokeKeyDialog);

export const CreateKeyDialog = dynamic(create);
export const EditKeyDialog = dynamic(edit);
export const RotateKeyDialog = dynamic(rotate);
export const RevokeKeyDialog = dynamic(revoke);

export async function loadKeyDialogs(): Promise<void> {
  await Promise.all([create(), edit(), rotate(), revoke()]);
}
