// The limits of the API, for providers whose own limits are unknown. In a file of its own, because pages of the console
// use them too.

export const MAX_PROMPT_CHARACTERS = 32_000;
export const MAX_NEGATIVE_PROMPT_CHARACTERS = 5_000;
export const MAX_SEED = 4_294_967_295;
