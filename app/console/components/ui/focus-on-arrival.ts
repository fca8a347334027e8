/** Focuses a field, such as the first of a page, of which this is the `ref`. Not on phones, where focusing opens the keyboard. */
export function focusOnArrival(field: HTMLElement | null): void {
  if (field && window.matchMedia('(pointer: fine)').matches) field.focus();
}
