/** The first request of a new user: short, cheap and rendered on this machine, so that it finishes within seconds. */
export const firstBody = { model: 'sandbox-t2v', prompt: 'A paper boat on a quiet lake', seconds: 4 } as const;
