// What is wrong with how the page lies there: a list of sentences, empty when nothing is.
() => {
  const faults = [];
  const shown = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const named = (el) => {
    const id = el.id ? `#${el.id}` : "";
    const text = (el.textContent || "").trim().slice(0, 40);
    return `<${el.tagName.toLowerCase()}${id} class="${el.className}"> "${text}"`;
  };
  const style = (el) => getComputedStyle(el);
  const scrolls = (el) => /auto|scroll/.test(style(el).overflowX + style(el).overflowY);
  const isHidden = (el) => el.closest("[hidden],[aria-hidden='true'],canvas,svg,.visually-hidden");

  // Leaves of text: elements that have text of their own.
  const leaves = [...document.body.querySelectorAll("*")].filter(
    (el) =>
      shown(el) &&
      !isHidden(el) &&
      [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== ""),
  );
  // The part of an element that its scrolling and clipping ancestors let be seen.
  const seen = (el) => {
    let { left, top, right, bottom } = el.getBoundingClientRect();
    for (let up = el.parentElement; up; up = up.parentElement) {
      if (style(up).overflow === "visible") continue;
      const box = up.getBoundingClientRect();
      left = Math.max(left, box.left);
      top = Math.max(top, box.top);
      right = Math.min(right, box.right);
      bottom = Math.min(bottom, box.bottom);
    }
    return { left, top, right, bottom, isEmpty: right - left < 2 || bottom - top < 2 };
  };

  for (const el of leaves) {
    const css = style(el);
    const isCut = el.scrollWidth > el.clientWidth + 1 && el.clientWidth > 0;
    const isTold = css.textOverflow === "ellipsis" && (el.title || el.closest("[title]"));
    if (isCut && /hidden|clip/.test(css.overflowX) && !isTold && css.display !== "inline")
      faults.push(`cut: ${named(el)}`);
    if (parseFloat(css.fontSize) < 11) faults.push(`too small: ${named(el)} ${css.fontSize}`);
  }

  const wide = document.documentElement;
  if (wide.scrollWidth > wide.clientWidth + 1)
    faults.push(`the window scrolls sideways: ${wide.scrollWidth} > ${wide.clientWidth}`);
  for (const el of leaves) {
    const box = seen(el);
    if (box.isEmpty) continue;
    let up = el.parentElement;
    while (up && !scrolls(up)) up = up.parentElement;
    if (!up && (box.left < -1 || box.right > innerWidth + 1))
      faults.push(`out of the window: ${named(el)}`);
  }

  // Two texts on each other: what is found at the middle of a text is the text, or belongs to it.
  for (const el of leaves) {
    const box = seen(el);
    if (box.isEmpty || style(el).pointerEvents === "none") continue;
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
    const top = document.elementFromPoint(x, y);
    if (top && top !== el && !el.contains(top) && !top.contains(el))
      faults.push(`under something else: ${named(el)} under ${named(top)}`);
  }

  // Contrast, where both colours are plain.
  const rgb = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const f = (v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
  };
  for (const el of leaves) {
    let up = el;
    while (up && (rgb(style(up).backgroundColor)[3] ?? 1) === 0) up = up.parentElement;
    if (!up || !/^rgba?\(/.test(style(up).backgroundColor + "") || el.disabled) continue;
    const over = rgb(style(up).backgroundColor);
    if ((over[3] ?? 1) < 1 || !/^rgba?\(/.test(style(el).color)) continue;
    const [a, b] = [light(rgb(style(el).color)), light(over)].sort((m, n) => n - m);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 3) faults.push(`hard to read (${ratio.toFixed(1)}): ${named(el)}`);
  }
  return [...new Set(faults)].slice(0, 40);
}
