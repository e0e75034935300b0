/**
 * The `nav` of `mkdocs.yml`: paths, titles with a path, titles with a list. Paths are relative to `docs_dir`. Plug-ins
 * also list folders: `guide/`, `guide/*.md`, `...` for the pages that the list lacks.
 */
import * as FolderPath from "../FolderPath.ts"
import * as FolderTree from "../FolderTree.ts"
import { isRecord, isWebAddress, maxDepth, type NavigationEntry, target, textOf } from "./NavigationEntry.ts"

export interface MkDocs {
  readonly entries: ReadonlyArray<NavigationEntry>
  readonly folder: string
}

export const read = (config: { readonly [name: string]: unknown }): MkDocs | undefined => {
  if (!Array.isArray(config["nav"])) return undefined
  return { entries: list(config["nav"], 0), folder: textOf(config["docs_dir"]) ?? "docs" }
}

const list = (entries: ReadonlyArray<unknown>, depth: number): ReadonlyArray<NavigationEntry> =>
  depth > maxDepth ? [] : entries.flatMap((entry) => itemsOf(entry, depth))

const itemsOf = (entry: unknown, depth: number): ReadonlyArray<NavigationEntry> => {
  const path = textOf(entry)
  if (path !== undefined) return [{ ...(folderIn(path) ?? target(path)), children: [] }]
  if (!isRecord(entry)) return []
  return Object.entries(entry).map(([title, value]) => {
    if (Array.isArray(value)) return { title, children: list(value, depth + 1) }
    const path = textOf(value)
    return { ...((path === undefined ? undefined : folderIn(path)) ?? target(path)), title, children: [] }
  })
}

/** Returns the folder whose pages an entry lists. A folder itself has a title. Undefined for a page. */
const folderIn = (path: string): Pick<NavigationEntry, "folder" | "title"> | undefined => {
  if (path === "...") return { folder: "" }
  const match = isWebAddress(path) ? null : /^((?:[^*?#]+\/)?)((?:\*\*\/)?\*(?:\.md)?)?$/.exec(path)
  if (match === null || path === "/") return undefined
  const [, folder = "", pattern] = match
  const name = folder.replace(/\/+$/, "")
  return pattern !== undefined
    ? { folder: name }
    : { folder: name, title: FolderTree.titleOf(FolderPath.baseName(name)) }
}
