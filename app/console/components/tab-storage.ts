// Texts that survive a reload of the tab and are gone when it is closed. Without storage the pages work, but remember
// nothing.

/** Returns the text with this name. It stays the same until another one is stored. */
export function readTabText(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores a text. Returns false if storage is unavailable or full; browsers allow about 5 MB. */
export function keepTabText(name: string, text: string): boolean {
  try {
    sessionStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
