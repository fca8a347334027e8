// Before a secret is shown or created, users who signed in some time ago must enter their password again. The refused
// request waits here and is repeated after the dialog (`confirm-identity-dialog.tsx`, in the frame) has confirmed the
// identity.

/** The `detail` of this event is a callback. It is called with true when the user has signed in again. */
const ASKED = 'patchbay:confirm-identity';

type Answer = (confirmed: boolean) => void;

/** Asks the user to sign in again. Resolves to whether they did; to false at once if no dialog is mounted. */
export function confirmIdentity(): Promise<boolean> {
  return new Promise((resolve) => {
    const heard = !window.dispatchEvent(new CustomEvent<Answer>(ASKED, { detail: resolve, cancelable: true }));
    if (!heard) resolve(false);
  });
}

/** Calls `onAsked` for every waiting request. Returns the function that stops listening. */
export function onConfirmAsked(onAsked: (answer: Answer) => void): () => void {
  const listen = (event: Event) => {
    event.preventDefault();
    onAsked((event as CustomEvent<Answer>).detail); // Safe: only `confirmIdentity` sends this event.
  };
  window.addEventListener(ASKED, listen);
  return () => window.removeEventListener(ASKED, listen);
}
