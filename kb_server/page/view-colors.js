/**
 * The colours of the scene: those of the page, read from its custom properties, and a stable one
 * for each class of things. `refresh()` reads them again, when the page turns dark or light.
 */
import { Color, SRGBColorSpace } from "./vendor/three.module.min.js";

const PROPERTIES = {
  ground: "#f6f5f2", panel: "#ffffff", ink: "#1f2328", faint: "#6b7280", line: "#d4d4d0",
  accent: "#2563eb", wrong: "#d42a3a", ghost: "#7c8aa5",
};
const MINDS = 8;
const CLASSES = [
  "#d9a441", "#5b8fc7", "#6aa56a", "#c76f8f", "#8d78c4", "#c7825b", "#4fa6a0", "#a3a04a",
  "#b56a6a", "#6f86a8", "#9c7b5c", "#7fa65b",
];

/** One pixel, on which the browser paints any colour that CSS can say. */
const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

function read(text, otherwise) {
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = otherwise;
  pixel.fillStyle = text || otherwise;
  pixel.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data;
  return new Color().setRGB(red / 255, green / 255, blue / 255, SRGBColorSpace);
}

/** A whole number that is the same for the same text. */
function sum(text) {
  let total = 7;
  for (let n = 0; n < text.length; n++) total = (total * 31 + text.charCodeAt(n)) >>> 0;
  return total;
}

export function createColors(element) {
  const colors = { minds: [], isDark: false };

  colors.refresh = () => {
    const style = getComputedStyle(element);
    for (const [name, otherwise] of Object.entries(PROPERTIES)) {
      colors[name] = read(style.getPropertyValue(`--${name}`).trim(), otherwise);
    }
    colors.minds = Array.from({ length: MINDS }, (_, n) =>
      read(style.getPropertyValue(`--mind-${n}`).trim(), CLASSES[n]));
    const { r, g, b } = colors.ground;
    colors.isDark = r + g + b < 0.6;
  };

  /** The colour of a mind's agent, by its place among the agents. */
  colors.ofMind = (index) => colors.minds[index % MINDS];

  /** The colour of a thing: its own, or that of its class; as text, to share materials by. */
  colors.ofThing = ({ color, class: kind }) => {
    if (Array.isArray(color) && color.length >= 3 && color.every(Number.isFinite)) {
      return `rgb(${color.slice(0, 3).map((part) => Math.round(255 * Math.min(1, Math.max(0, part)))).join(",")})`;
    }
    return CLASSES[sum(kind ?? "") % CLASSES.length];
  };

  colors.refresh();
  return colors;
}
