/**
 * Warnings of a start that goes on: settings that mean nothing, files that others on the machine may look
 * into, and a change of keys that was begun and not ended.
 */
import { relative, resolve } from "node:path"
import { wideFiles } from "@lectern/adapter-sqlite/FileModes"
import { Secrets } from "@lectern/core/identity/Secrets"
import { Effect } from "effect"
import { closest, distance } from "fastest-levenshtein"
import { databaseIn } from "./DataFolder.ts"
import { variables } from "./SettingFlags.ts"

/** So far from a setting, a name was not meant as one. */
const farthest = 3

export const unknownVariables = (env: Record<string, string | undefined>) =>
  Effect.forEach(
    Object.keys(env).filter((name) => name.startsWith("LECTERN_") && !variables.has(name)),
    (name) => {
      const near = closest(name, [...variables])
      const hint = distance(name, near) <= farthest ? `: did you mean ${near}?` : ""
      return Effect.logWarning(`${name} is no setting, and sets nothing${hint}`)
    },
    { discard: true }
  )

export const openFiles = (data: string) =>
  Effect.suspend(() =>
    Effect.forEach(
      wideFiles(databaseIn(data)),
      ({ path, mode, wanted }) => {
        const place = relative(resolve(data), path)
        const name = place === "" ? "The data folder" : `${place} in the data folder`
        return Effect.logWarning(`${name} is open to other users (mode ${mode}): chmod it to ${wanted}`)
      },
      { discard: true }
    )
  )

export const changingKey = Secrets.use(({ isChanging }) =>
  isChanging
    ? Effect.logWarning("The change of the secret key was not ended: stop the server and run lectern key rotate again")
    : Effect.void
)
