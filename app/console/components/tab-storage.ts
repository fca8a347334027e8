// Texts that survive a reload of the tab and end with it. Without storage the pages work, but remember nothing.

/** The text under a name; stable until another one is stored. */
export function readTabText(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** False: storage is unavailable or full. It holds about 5 MB. */
export function keepTabText(name: string, text: string): boolean {
  try {
    sessionStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
