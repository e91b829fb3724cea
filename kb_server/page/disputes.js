/** Not drawn yet. */
export function createDisputes() {}
