/** Files of sites that are shipped with a command: the diagram renderer and fonts, in folders next to its code. */
import { fileURLToPath } from "node:url"
import { readDiagrams } from "@lectern/services-node/site/NodeDiagrams"
import * as NodeFonts from "@lectern/services-node/site/NodeFonts"
import type { DiagramLibrary } from "@lectern/site/server/DiagramFiles"
import type { FontLibrary } from "@lectern/site/server/FontFiles"

/** Folder of the package of sites for sources, or next to the code for a bundle. */
const folderOf = (name: string): string =>
  fileURLToPath(
    new URL(import.meta.url.endsWith(".ts") ? `../../../packages/site/${name}` : `./${name}`, import.meta.url)
  )

export interface SiteFiles {
  /** Returns the program that renders diagrams, or undefined if it was not built. */
  readonly diagrams: () => DiagramLibrary | undefined
  /** Returns the fonts, or undefined if they were not built. */
  readonly fonts: () => FontLibrary | undefined
}

export const diagrams: SiteFiles["diagrams"] = () => readDiagrams(folderOf("diagrams"))

export const fonts: SiteFiles["fonts"] = () => NodeFonts.readFonts(folderOf("fonts"))
