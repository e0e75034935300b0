/**
 * Files that come with the server: its manual, the integrations of the catalogue, and what draws diagrams. They lie
 * beside it, or are inside of it where it is one binary.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type ReadFolder, readFolder } from "@lectern/services-node/folder/FolderReader"
import { libraryOf, readDiagrams } from "@lectern/services-node/site/NodeDiagrams"
import * as NodeFonts from "@lectern/services-node/site/NodeFonts"
import type { DiagramLibrary } from "@lectern/site/server/DiagramFiles"
import type { FontLibrary } from "@lectern/site/server/FontFiles"
import { Effect } from "effect"
import { inside } from "./binary/Inside.ts"

const isSource = import.meta.url.endsWith(".ts")

/** The sources stand in the repository, with the manual at its root; a bundle has a copy beside it. */
const folders = {
  manual: new URL(isSource ? "../../../docs" : "./manual", import.meta.url),
  diagrams: new URL(isSource ? "../../../packages/site/diagrams" : "./diagrams", import.meta.url),
  fonts: new URL(isSource ? "../../../packages/site/fonts" : "./fonts", import.meta.url),
  catalogue: new URL("../catalogue", import.meta.url)
}

/** Files of the binary that lie in a folder of it; undefined where there is no binary. */
const filesInside = (folder: keyof typeof folders) => {
  const binary = inside()
  return binary
    ?.keys()
    .filter((key) => key.startsWith(`${folder}/`))
    .sort()
    .map((key) => ({ path: key.slice(folder.length + 1), bytes: binary.bytes(key) }))
}

/** The manual, as a folder to import. */
export const manual = Effect.suspend(() => {
  const files = filesInside("manual")
  if (files === undefined) return readFolder(fileURLToPath(folders.manual))
  return Effect.succeed<ReadFolder>({
    files: files.map(({ path, bytes }) => ({
      path,
      size: bytes.byteLength,
      // Whoever takes them may hand them on, and the memory of the program is nobody's to give.
      bytes: () => Effect.sync(() => bytes.slice())
    })),
    problems: []
  })
})

/** Fonts that settings of sites name; undefined where they were not put there. */
export const fonts = (): FontLibrary | undefined => {
  const binary = inside()
  if (binary === undefined) return NodeFonts.readFonts(fileURLToPath(folders.fonts))
  const bytes = (file: string) => binary.bytes(`fonts/${file}`)
  return NodeFonts.libraryOf(new TextDecoder().decode(bytes("fonts.json")), (file) =>
    Effect.sync(() => new Uint8Array(bytes(file)))
  )
}

export interface ShippedText {
  readonly file: string
  readonly text: string
}

/** The files of the catalogue; none where none was built. */
export const catalogue = (folder?: string): ReadonlyArray<ShippedText> => {
  const files = folder === undefined ? filesInside("catalogue") : undefined
  if (files !== undefined)
    return files.map(({ path, bytes }) => ({ file: path, text: new TextDecoder().decode(bytes) }))
  const from = folder ?? fileURLToPath(folders.catalogue)
  return namesIn(from).map((file) => ({ file, text: readFileSync(join(from, file), "utf8") }))
}

/** The program that draws diagrams on sites; undefined where it was not built. */
export const diagrams = (): DiagramLibrary | undefined => {
  const binary = inside()
  if (binary === undefined) return readDiagrams(fileURLToPath(folders.diagrams))
  const folder = "diagrams/"
  const files = binary.keys().filter((key) => key.startsWith(folder))
  return libraryOf(
    files.map((key) => key.slice(folder.length)),
    (file) => Effect.sync(() => new Uint8Array(binary.bytes(folder + file)))
  )
}

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(".json"))
      .sort()
  } catch {
    return []
  }
}
