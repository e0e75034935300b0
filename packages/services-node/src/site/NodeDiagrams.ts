/** Program that renders diagrams of sites, from the folder of a build. Files are read on request and not cached. */
import { readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { DiagramLibrary } from "@lectern/site/server/DiagramFiles"
import { Effect } from "effect"
import { packagedFolder } from "./PackagedFolder.ts"

const ending = ".gz"

/**
 * Returns the library for the files that end in `.gz`. Undefined if none of them is the entry file, whose name starts
 * with `frame.`.
 */
export const libraryOf = (
  files: ReadonlyArray<string>,
  read: (file: string) => Effect.Effect<Uint8Array<ArrayBuffer>>
): DiagramLibrary | undefined => {
  const names = files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length))
  return names.some((name) => name.startsWith("frame."))
    ? { names, read: (name) => read(`${name}${ending}`) }
    : undefined
}

/** Returns the library in a folder. Undefined if it was not built. */
export const readDiagrams = (folder: string): DiagramLibrary | undefined => {
  try {
    return libraryOf(readdirSync(folder), (file) => Effect.promise(() => readFile(join(folder, file))))
  } catch {
    return undefined
  }
}

/** Returns the library in `@lectern/site`, for hosts that render sites themselves. Undefined if it was not built. */
export const packagedDiagrams = (): DiagramLibrary | undefined => readDiagrams(packagedFolder("diagrams"))
