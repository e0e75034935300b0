/**
 * Fonts that settings of sites name, from the folder that a build put them in. Files are read when they are asked for:
 * nothing is held in memory but their names.
 */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { FontLibrary } from "@lectern/site/server/FontFiles"
import { Effect } from "effect"

/** `table`: the text of `fonts.json`. */
export const libraryOf = (table: string, read: FontLibrary["read"]): FontLibrary => ({
  faces: JSON.parse(table) as FontLibrary["faces"],
  read
})

/** Undefined where they are not there. */
export const readFonts = (folder: string): FontLibrary | undefined => {
  try {
    return libraryOf(readFileSync(join(folder, "fonts.json"), "utf8"), (file) =>
      Effect.promise(() => readFile(join(folder, file)))
    )
  } catch {
    return undefined
  }
}

/** From the package of sites, for hosts that draw sites by themselves. */
export const packagedFonts = (): FontLibrary | undefined =>
  readFonts(join(dirname(createRequire(import.meta.url).resolve("@lectern/site/package.json")), "fonts"))
