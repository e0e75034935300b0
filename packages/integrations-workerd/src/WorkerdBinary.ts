/** Finds the program `workerd` of the npm package. */
import { createRequire } from "node:module"

/** Returns the path of the program for this platform, or undefined if the package has none. */
export const binary = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve(`@cloudflare/workerd-${process.platform}-${machine}/bin/workerd`, {
      paths: [createRequire(import.meta.url).resolve("workerd")]
    })
  } catch {
    return undefined
  }
}

const machine = process.arch === "x64" ? "64" : process.arch
