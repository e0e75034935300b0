#!/usr/bin/env node
/**
 * Starts `create-lectern`, or prints the required Node.js version. Code that needs a newer Node.js is imported only after
 * the version check, so that an older Node.js can parse this file.
 */
const minVersion = 24
const major = Number(process.versions.node.split(".", 1)[0])

if (major < minVersion) {
  process.stderr.write(
    `Lectern needs Node.js ${minVersion} or newer, and this is ${process.version}. Get it at https://nodejs.org.\n`
  )
  process.exitCode = 1
} else {
  void import("./Start.ts")
}
