/** For `ref`: the one field of a page that everybody who comes fills in first. Not on phones, where it raises the keyboard. */
export function focusOnArrival(field: HTMLElement | null): void {
  if (field && window.matchMedia('(pointer: fine)').matches) field.focus();
}
