/**
 * Cards in columns, as many as there is room for: each stays in its own while others grow and shrink.
 */

const WIDTH = 225;

/** @param {HTMLElement} element */
export function createColumns(element) {
  const room = document.createElement("div");
  room.className = "columns";
  element.append(room);
  /** @type {HTMLElement[]} */
  const cards = [];
  let count = 1;

  function lay() {
    while (room.children.length < count) room.append(document.createElement("div"));
    while (room.children.length > count) room.lastElementChild?.remove();
    cards.forEach((card, i) => room.children[i % count].append(card));
  }

  lay();
  new ResizeObserver(([{ contentRect }]) => {
    const wanted = Math.max(1, Math.floor(contentRect.width / WIDTH));
    if (wanted === count) return;
    count = wanted;
    lay();
  }).observe(element);

  return {
    /** @param {HTMLElement} card */
    put(card) {
      cards.push(card);
      room.children[(cards.length - 1) % count].append(card);
    },
    /** @param {HTMLElement} card one of these, or one that lies elsewhere */
    remove(card) {
      const place = cards.indexOf(card);
      card.remove();
      if (place < 0) return;
      cards.splice(place, 1);
      lay();
    },
  };
}
