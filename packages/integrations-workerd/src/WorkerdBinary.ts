/** Path of the program that runs integrations, on this machine. */
import { createRequire } from "node:module"

/** The program itself, as the package brings it for this machine; undefined where it has none. */
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
