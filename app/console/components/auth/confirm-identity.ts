// Somebody who signed in a while ago is asked for the password again before a secret is shown or made. The request that was
// refused waits here, and is repeated when the dialog (`confirm-identity-dialog.tsx`, in the frame) says that it may be.

/** The event's detail is the answer's function: true when the person has signed in again. */
const ASKED = 'patchbay:confirm-identity';

type Answer = (confirmed: boolean) => void;

/** Resolves with whether the person has signed in again; false at once where no dialog listens. */
export function confirmIdentity(): Promise<boolean> {
  return new Promise((resolve) => {
    const heard = !window.dispatchEvent(new CustomEvent<Answer>(ASKED, { detail: resolve, cancelable: true }));
    if (!heard) resolve(false);
  });
}

/** Calls `onAsked` for every request that waits; returns the end of listening. */
export function onConfirmAsked(onAsked: (answer: Answer) => void): () => void {
  const listen = (event: Event) => {
    event.preventDefault();
    onAsked((event as CustomEvent<Answer>).detail); // Safe: only `confirmIdentity` sends this event.
  };
  window.addEventListener(ASKED, listen);
  return () => window.removeEventListener(ASKED, listen);
}
