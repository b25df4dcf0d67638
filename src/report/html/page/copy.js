import { buttons } from './buttons.js';

// A page that was opened from disk may have no clipboard: then the buttons stay hidden.
for (const button of navigator.clipboard ? buttons('copy') : []) {
  button.hidden = false;
  button.addEventListener('click', () => void copy(button));
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  await navigator.clipboard.writeText(button.parentElement?.querySelector('code')?.textContent ?? '');
  button.textContent = 'Copied';
}
