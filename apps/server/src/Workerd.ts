/**
 * Finds the program `workerd`, in which integrations run. It is part of an npm package. The binary needs it as a separate
 * file in its folder; without the file, integrations do not run.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { currentBinary } from "./binary/CurrentBinary.ts"

const name = process.platform === "win32" ? "workerd.exe" : "workerd"

/** Returns the path of `workerd` next to the binary, or undefined without a binary or without the file. */
export const programPath = (): string | undefined => {
  const file = join(dirname(process.execPath), name)
  return currentBinary() !== undefined && existsSync(file) ? file : undefined
}

export const warnIfMissing = Effect.suspend(() =>
  currentBinary() === undefined || programPath() !== undefined
    ? Effect.void
    : Effect.logWarning(`${name} is missing next to ${process.execPath}: integrations do not run`)
)
