/** A `ref` that focuses its field when the field appears. Not on phones, where focusing opens the keyboard. */
export function focusOnArrival(field: HTMLElement | null): void {
  if (field && window.matchMedia('(pointer: fine)').matches) field.focus();
}
