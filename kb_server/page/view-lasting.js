/** Which differences have lasted: those seen in every picture for so long. */

const LONG = 350; // milliseconds; facts take up to 400 to appear, so no mark comes before its fact

/** `again(milliseconds)` is asked to look again, when a difference is too young. */
export function createLasting(again) {
  const since = new Map(); // when each was seen first, and in which round last
  let round = 0;
  let now = 0;
  let isAll = false;

  return {
    /** Begins a round; in one that is all of the past, or a first look, all that differs has lasted. */
    begin(isSettled) {
      for (const [name, seen] of since) if (seen.round !== round) since.delete(name);
      round += 1;
      now = performance.now();
      isAll = isSettled;
    },
    lasts(name) {
      const seen = since.get(name) ?? { at: isAll ? -Infinity : now, round };
      since.set(name, seen);
      seen.round = round;
      const left = LONG - (now - seen.at);
      if (left <= 0) return true;
      again(left);
      return false;
    },
    forget() {
      since.clear();
    },
  };
}
