'use strict';
/** The file system's functions as they were before the probe replaced them. What Node loads when it is first asked for stays unloaded. */
const fs = require('node:fs');

/** @type {typeof fs} */
module.exports = Object.defineProperties(/** @type {any} */ ({}), Object.getOwnPropertyDescriptors(fs));
