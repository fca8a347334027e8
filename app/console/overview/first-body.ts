/** The first request of somebody new: short, cheap and answered on this machine, so that something is seen within seconds. */
export const firstBody = { model: 'sandbox-t2v', prompt: 'A paper boat on a quiet lake', seconds: 4 } as const;
