import { UNREACHABLE } from '../../console-api';

/** Why a script could not load. */
export interface FailedLoad {
  readonly message: string;
  /**
   * The server answers but no longer has the script, because it was upgraded while the page was open. Only a reload of
   * the page loads the current scripts.
   */
  readonly outdated: boolean;
}

/** Finds out why a script could not load, by checking whether the server answers. */
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
