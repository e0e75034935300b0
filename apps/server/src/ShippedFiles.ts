/**
 * Files that are shipped with the server: the console, the manual, the integrations of the catalogue, the diagram
 * renderer, fonts, and the description of the API. They are in folders next to the server, or inside of the binary.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as SiteFiles from "@lectern/cli/SiteFiles"
import type { Folder } from "@lectern/exchange/import/Folder"
import { readFolder } from "@lectern/services-node/folder/FolderReader"
import { libraryOf } from "@lectern/services-node/site/NodeDiagrams"
import * as NodeFonts from "@lectern/services-node/site/NodeFonts"
import type { DiagramLibrary } from "@lectern/site/server/DiagramFiles"
import type { FontLibrary } from "@lectern/site/server/FontFiles"
import { Effect } from "effect"
import { currentBinary } from "./binary/CurrentBinary.ts"

const isSource = import.meta.url.endsWith(".ts")

/** Folders of the files: in the repository for sources, next to the code for a bundle. */
const folders = {
  manual: new URL(isSource ? "../../../docs" : "./manual", import.meta.url),
  catalogue: new URL("../catalogue", import.meta.url),
  console: new URL(isSource ? "../../console/dist" : "./console", import.meta.url)
}

/** Returns the files in a folder of the binary, or undefined without a binary. */
const filesInside = (folder: keyof typeof folders) => {
  const binary = currentBinary()
  return binary
    ?.keys()
    .filter((key) => key.startsWith(`${folder}/`))
    .sort()
    .map((key) => ({ path: key.slice(folder.length + 1), bytes: binary.bytes(key) }))
}

/** Manual as a folder to import. */
export const manual = Effect.suspend(() => {
  const files = filesInside("manual")
  if (files === undefined) return readFolder(fileURLToPath(folders.manual))
  return Effect.succeed<Required<Pick<Folder, "files" | "problems">>>({
    files: files.map(({ path, bytes }) => ({
      path,
      size: bytes.byteLength,
      // The bytes are copied, since the receiver may transfer the buffer to a thread.
      bytes: () => Effect.sync(() => bytes.slice())
    })),
    problems: []
  })
})

/**
 * Returns the OpenAPI description with `placeholderServer`. Undefined for sources, which may be newer than a built
 * description.
 */
export const description = (): string | undefined => {
  if (isSource) return undefined
  const binary = currentBinary()
  if (binary !== undefined) return new TextDecoder().decode(binary.bytes("description/openapi.json"))
  return readFileSync(new URL("./description/openapi.json", import.meta.url), "utf8")
}

/** Returns the fonts for sites, or undefined if they were not built. */
export const fonts = (): FontLibrary | undefined => {
  const binary = currentBinary()
  if (binary === undefined) return SiteFiles.fonts()
  const bytes = (file: string) => binary.bytes(`fonts/${file}`)
  return NodeFonts.libraryOf(new TextDecoder().decode(bytes("fonts.json")), (file) =>
    Effect.sync(() => new Uint8Array(bytes(file)))
  )
}

export interface ShippedText {
  readonly file: string
  readonly text: string
}

/** Returns the files of the catalogue. Empty if the catalogue was not built. */
export const catalogue = (folder?: string): ReadonlyArray<ShippedText> => {
  const files = folder === undefined ? filesInside("catalogue") : undefined
  if (files !== undefined)
    return files.map(({ path, bytes }) => ({ file: path, text: new TextDecoder().decode(bytes) }))
  const from = folder ?? fileURLToPath(folders.catalogue)
  return namesIn(from).map((file) => ({ file, text: readFileSync(join(from, file), "utf8") }))
}

/** Returns the program that renders diagrams on sites, or undefined if it was not built. */
export const diagrams = (): DiagramLibrary | undefined => {
  const binary = currentBinary()
  if (binary === undefined) return SiteFiles.diagrams()
  const folder = "diagrams/"
  const files = binary.keys().filter((key) => key.startsWith(folder))
  return libraryOf(
    files.map((key) => key.slice(folder.length)),
    (file) => Effect.sync(() => new Uint8Array(binary.bytes(folder + file)))
  )
}

/** Files of the console, by name. */
export interface ConsoleFiles {
  readonly names: ReadonlyArray<string>
  readonly read: (name: string) => Effect.Effect<Uint8Array<ArrayBuffer>>
}

/** Returns the files of the console, or undefined if it was not built. */
export const consoleFiles = (): ConsoleFiles | undefined => {
  const binary = currentBinary()
  const folder = "console/"
  if (binary !== undefined)
    return {
      names: binary.keys().flatMap((key) => (key.startsWith(folder) ? [key.slice(folder.length)] : [])),
      read: (name) => Effect.sync(() => new Uint8Array(binary.bytes(folder + name)))
    }
  const path = fileURLToPath(folders.console)
  if (!existsSync(path)) return undefined
  return { names: readdirSync(path), read: (name) => Effect.promise(() => readFile(join(path, name))) }
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
