/**
 * The pass that the board may want: kept for as long as the tab lives, asked for when it is refused.
 */

const KEY = "mindboard.token";

/** The token that was given, or "". */
export function token() {
  return sessionStorage.getItem(KEY) ?? "";
}

/**
 * Asks for a token in a dialogue, one at a time.
 * @param {string} reason why the board wants one, as it said
 * @returns {Promise<void>} settled once a token is given
 */
export function askForToken(reason) {
  asking ??= new Promise((done) => open(reason, done)).finally(() => (asking = null));
  return asking;
}

/** @type {Promise<void>|null} */
let asking = null;

/** @param {string} reason @param {() => void} done */
function open(reason, done) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("token"));
  const input = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
  const said = /** @type {HTMLElement} */ (dialog.querySelector("[data-testid=token-reason]"));
  said.textContent = token() ? `That token is refused: ${reason}.` : "Whoever runs it can tell you one.";
  input.value = "";
  dialog.oncancel = (event) => event.preventDefault();
  dialog.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    if (!/^[\x21-\x7e]+$/.test(input.value.trim())) {
      said.textContent = "A token is visible ASCII without spaces.";
      return;
    }
    sessionStorage.setItem(KEY, input.value.trim());
    dialog.close();
    done();
  };
  dialog.showModal();
}
