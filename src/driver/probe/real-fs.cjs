'use strict';
/** The file system's functions as they were before the probe replaced them. */
module.exports = { ...require('node:fs') };
