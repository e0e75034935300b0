/**
 * Files that come with the server: its manual, and the integrations of the catalogue. They lie beside it,
 * or are inside of it where it is one binary.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { inside } from "./binary/Inside.ts"
import { type ReadFolder, readFolder } from "./FolderReader.ts"

/** The sources stand in the repository, with the manual at its root; a bundle has a copy beside it. */
const folders = {
  manual: new URL(import.meta.url.endsWith(".ts") ? "../../../docs" : "./manual", import.meta.url),
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
      bytes: Effect.sync(() => bytes.slice())
    })),
    problems: []
  })
})

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

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(".json"))
      .sort()
  } catch {
    return []
  }
}
