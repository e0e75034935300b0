/**
 * The program that draws diagrams of sites, from the folder that a build put it in. Files are read when they are asked
 * for: nothing is held in memory.
 */
import { readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { DiagramLibrary } from "@lectern/site/server/DiagramFiles"
import { Effect } from "effect"

const ending = ".gz"

/** Of files that are compressed by gzip, and named so; undefined where none of them begins it. */
export const libraryOf = (
  files: ReadonlyArray<string>,
  read: (file: string) => Effect.Effect<Uint8Array<ArrayBuffer>>
): DiagramLibrary | undefined => {
  const names = files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length))
  return names.some((name) => name.startsWith("frame."))
    ? { names, read: (name) => read(`${name}${ending}`) }
    : undefined
}

/** Undefined where it was not built. */
export const readDiagrams = (folder: string): DiagramLibrary | undefined => {
  try {
    return libraryOf(readdirSync(folder), (file) => Effect.promise(() => readFile(join(folder, file))))
  } catch {
    return undefined
  }
}

/** From the package of sites, for hosts that draw sites by themselves. */
export const packagedDiagrams = (): DiagramLibrary | undefined =>
  readDiagrams(join(dirname(createRequire(import.meta.url).resolve("@lectern/site/package.json")), "diagrams"))
