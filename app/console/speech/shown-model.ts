/** What the playground needs to know of a model that hears or speaks; a part of what `/internal/models` says. */
export interface ShownModel {
  readonly id: string;
  readonly name: string;
  readonly available: boolean;
  readonly voices: readonly string[];
}
