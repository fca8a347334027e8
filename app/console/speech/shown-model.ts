/** The fields of a speech model that the page needs. */
export interface ShownModel {
  readonly id: string;
  readonly name: string;
  readonly available: boolean;
  readonly voices: readonly string[];
}
