/** Fonts for sites, from the folder of a build. Files are read on request; only their names are in memory. */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { FontLibrary } from "@lectern/site/server/FontFiles"
import { Effect } from "effect"
import { packagedFolder } from "./PackagedFolder.ts"

/** Returns the library for the text of `fonts.json`. */
export const libraryOf = (table: string, read: FontLibrary["read"]): FontLibrary => ({
  faces: JSON.parse(table) as FontLibrary["faces"],
  read
})

/** Returns the library in a folder. Undefined if it was not built. */
export const readFonts = (folder: string): FontLibrary | undefined => {
  try {
    return libraryOf(readFileSync(join(folder, "fonts.json"), "utf8"), (file) =>
      Effect.promise(() => readFile(join(folder, file)))
    )
  } catch {
    return undefined
  }
}

/** Returns the library in `@lectern/site`, for hosts that render sites themselves. Undefined if it was not built. */
export const packagedFonts = (): FontLibrary | undefined => readFonts(packagedFolder("fonts"))
