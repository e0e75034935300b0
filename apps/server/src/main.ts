#!/usr/bin/env node
/**
 * Starts the `lectern` command, or says which Node.js it needs. Whatever newer versions alone have is loaded behind the
 * check, so that an older one can read this file.
 */
const least = 24
const major = Number(process.versions.node.split(".", 1)[0])

if (major < least) {
  process.stderr.write(
    `Lectern needs Node.js ${least} or newer, and this is ${process.version}. Get it at https://nodejs.org, or use the binary, which brings its own.\n`
  )
  process.exitCode = 1
} else {
  void import("./Start.ts")
}
