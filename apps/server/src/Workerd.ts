/**
 * The program that integrations run in. A package brings it, but the binary is one file: there it is the
 * program `workerd` beside it, and without it integrations don't run.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { inside } from "./binary/Inside.ts"

const name = process.platform === "win32" ? "workerd.exe" : "workerd"

/** Its path, where the server is a binary and has it. */
export const beside = (): string | undefined => {
  const file = join(dirname(process.execPath), name)
  return inside() !== undefined && existsSync(file) ? file : undefined
}

export const warnOfNone = Effect.suspend(() =>
  inside() === undefined || beside() !== undefined
    ? Effect.void
    : Effect.logWarning(`There is no ${name} beside ${process.execPath}: integrations don't run`)
)
