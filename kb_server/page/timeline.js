/** Not drawn yet. */
export function createTimeline() {}
