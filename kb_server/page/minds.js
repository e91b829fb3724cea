/** Not drawn yet. */
export function createMinds() {}
