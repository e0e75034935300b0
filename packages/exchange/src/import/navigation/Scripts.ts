/**
 * Navigation in configuration files that are JavaScript or TypeScript. Their values are read if they are literals (see
 * `LiteralValue`). Code is never run: a navigation that contains code is not read.
 */
import { Call, Code, readModule } from "@lectern/document/LiteralValue"
import * as Docusaurus from "./Docusaurus.ts"
import { isRecord, type NavigationEntry } from "./NavigationEntry.ts"
import * as Starlight from "./Starlight.ts"
import * as VitePress from "./VitePress.ts"

interface ScriptFormat {
  /** Returns the navigation in the main value of the file. */
  readonly valueOf: (main: unknown) => unknown
  readonly read: (value: unknown) => ReadonlyArray<NavigationEntry> | undefined
  /** Folders that paths are relative to, relative to the folder of the file. The first one with pages counts. */
  readonly folders: ReadonlyArray<string>
}

const sidebars: ScriptFormat = { valueOf: (main) => main, read: Docusaurus.read, folders: ["docs", "."] }
const starlight: ScriptFormat = {
  valueOf: Starlight.sidebarOf,
  read: Starlight.read,
  folders: [Starlight.contentFolder]
}
const vitePress: ScriptFormat = { valueOf: VitePress.sidebarOf, read: VitePress.read, folders: [".."] }

/** Returns the format of a file by its path; undefined for any other file. */
export const formatOf = (path: string): ScriptFormat | undefined => {
  if (/(?:^|\/)sidebars\.[cm]?[jt]s(?:on)?$/.test(path)) return sidebars
  if (/(?:^|\/)astro\.config\.[cm]?[jt]s$/.test(path)) return starlight
  return /(?:^|\/)\.vitepress\/config\.[cm]?[jt]s$/.test(path) ? vitePress : undefined
}

const extensions = ["js", "ts", "mjs", "mts", "cjs", "cts"]

/** Paths of such files, relative to the imported folder. */
export const paths: ReadonlyArray<string> = ["", "website/", "docs/"].flatMap((folder) => [
  `${folder}sidebars.json`,
  ...["sidebars", "astro.config", ".vitepress/config"].flatMap((name) =>
    extensions.map((extension) => `${folder}${name}.${extension}`)
  )
])

/** `code`: the navigation is computed by code. Undefined: the file states no navigation. */
export type ScriptResult = ReadonlyArray<NavigationEntry> | "code" | undefined

export const read = (text: string, path: string): ScriptResult => {
  const format = formatOf(path)
  if (format === undefined) return undefined
  const main = path.endsWith(".json") ? parseJson(text) : readModule(text)?.main
  const value = format.valueOf(unwrap(main))
  if (main === undefined || containsCode(value)) return "code"
  return format.read(value)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the configuration in a call such as `defineConfig({ … })`. */
const unwrap = (value: unknown): unknown => {
  let inner = value
  while (inner instanceof Call && /^(?:define|with)[A-Z]/.test(inner.name)) inner = inner.values[0]
  return inner
}

const containsCode = (value: unknown): boolean => {
  if (value instanceof Code || value instanceof Call) return true
  if (Array.isArray(value)) return value.some(containsCode)
  return isRecord(value) && Object.values(value).some(containsCode)
}
