// A page that was opened from disk may have no clipboard: then the button stays hidden.
if (navigator.clipboard) {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('button.copy'))) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.parentElement?.querySelector('code')?.textContent ?? '');
      button.textContent = 'Copied';
    });
  }
}
