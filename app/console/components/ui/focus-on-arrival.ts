/** A `ref` that focuses the first field of a page. Not on phones, where focusing opens the keyboard. */
export function focusOnArrival(field: HTMLElement | null): void {
  if (field && window.matchMedia('(pointer: fine)').matches) field.focus();
}
