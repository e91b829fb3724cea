/** How things and people are called over the picture: as in the cards, but without articles. */
import { capital, cut } from "./words.js";

/** "red block", "Sally", "robot". @param look what `looksByPose` gives */
export function calledOf({ name, kind, agent }) {
  if (agent === "myself") return "robot";
  const words = String(name).replaceAll("_", " ").trim() || String(name);
  return cut(kind === "head" ? capital(words) : words);
}
