import { UNREACHABLE } from '../../console-api';

/** Why a script could not load. */
export interface FailedLoad {
  readonly message: string;
  /**
   * The server answers, but no longer has the script: it was upgraded while the page was open. Only a new page knows the
   * present scripts.
   */
  readonly outdated: boolean;
}

/** Asks the server, to tell the two causes apart. */
export async function explainFailedLoad(): Promise<FailedLoad> {
  const outdated = await serverAnswers();
  return {
    message: outdated ? 'This part of the page could not be loaded. The console may have been updated.' : UNREACHABLE,
    outdated,
  };
}

async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
