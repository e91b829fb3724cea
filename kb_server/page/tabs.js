/**
 * Tabs, one panel shown at a time; arrow keys go from one to the next, as everywhere.
 */

/**
 * @param {HTMLElement} element with a `tablist` whose tabs name their panels by `aria-controls`
 * @returns {{show: (panel: string) => void}}
 */
export function createTabs(element) {
  const tabs = /** @type {HTMLElement[]} */ ([...element.querySelectorAll("[role=tab]")]);
  const show = (panel) => tabs.forEach((tab) => select(tab, tab.getAttribute("aria-controls") === panel));
  for (const tab of tabs) {
    tab.onclick = () => show(/** @type {string} */ (tab.getAttribute("aria-controls")));
    tab.onkeydown = (event) => {
      const next = neighbour(tabs, tab, event.key);
      if (!next) return;
      event.preventDefault();
      next.click();
      next.focus();
    };
  }
  return { show };
}

/** @param {HTMLElement} tab @param {boolean} isShown */
function select(tab, isShown) {
  tab.setAttribute("aria-selected", String(isShown));
  tab.tabIndex = isShown ? 0 : -1;
  const panel = document.getElementById(/** @type {string} */ (tab.getAttribute("aria-controls")));
  if (panel) panel.hidden = !isShown;
}

/** @param {HTMLElement[]} tabs @param {HTMLElement} tab @param {string} key */
function neighbour(tabs, tab, key) {
  const ways = { ArrowRight: tabs.indexOf(tab) + 1, ArrowLeft: tabs.indexOf(tab) - 1, Home: 0, End: -1 };
  return key in ways ? tabs.at(ways[key] % tabs.length) : null;
}
