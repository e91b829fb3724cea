/** Not drawn yet. */
export function createStory() {}
