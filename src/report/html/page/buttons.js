/** The buttons of a class. Without the script they do nothing, and so they are hidden until it shows them. @param {string} className */
export function buttons(className) {
  return [...document.getElementsByClassName(className)].filter((element) => element instanceof HTMLButtonElement);
}
