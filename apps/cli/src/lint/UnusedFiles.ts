/**
 * Finds reusable content that nothing in the folder refers to, and such pictures, videos and documents in asset folders
 * and in folders with another file that pages use. A file whose name occurs anywhere in a text of the folder counts as
 * used, since other programs, scripts and styles refer to files too. So does a file whose folder a program names, and a
 * file named by a text in a folder above, up to the folder of the repository.
 *
 * Limit: texts of up to 1 MiB are searched.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { decodePercent } from "@lectern/document/PercentEncoding"
import type { FolderFile } from "@lectern/exchange/import/Folder"
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import type { ImportCache, ImportedFolder } from "@lectern/exchange/import/ImportCache"
import { Effect } from "effect"
import type { Problem } from "./Problems.ts"

const maxTextBytes = 1024 * 1024

const media =
  /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?|ico|mp4|webm|mov|m4v|avi|mp3|ogg|wav|m4a|pdf|docx?|xlsx?|pptx?|odt|ods|odp|drawio|excalidraw|psd|sketch|fig|zip)$/i
/** Files that browsers and social networks request by their name. */
const requestedByName =
  /^(?:favicon|apple-touch-icon|android-chrome|mstile|safari-pinned-tab|icon|logo|og[-_]?image|social|opengraph|twitter)\b/i
const text =
  /\.(?:md|markdown|mdx|mdoc|rst|adoc|asciidoc|html?|css|s[ac]ss|less|[cm]?[jt]sx?|vue|svelte|astro|json5?|ya?ml|toml|xml|txt|tex|py|rb|php|liquid|njk|tmpl|j2)$/i
const nameInText = /[^\s"'`()<>[\]{}|,;=/\\:?#*]+\.[a-z0-9]{2,10}\b/gi

/** Programs may put the name of a file together, for example `logos/{name}.png`. */
const program = /\.(?:html?|[cm]?[jt]sx?|vue|svelte|astro|py|rb|php|liquid|njk|tmpl|j2)$/i
const folderInText = /[\w.-]+\//g

const decoder = new TextDecoder()

/** Names of files in a text, in lower case. */
type Names = ReadonlySet<string>

/** Names in each text. A file is read again only if it changed. */
export type NamesCache = WeakMap<FolderFile, Names>

interface UnusedFileOptions {
  /** Absolute path of the folder. */
  readonly folder: string
  /** Folder of the documentation (see `DocsFolder`). */
  readonly prefix: string
  /** Paths of files and reusable contents that pages refer to (see `usedPaths`). */
  readonly used: ReadonlySet<string>
  readonly cache: NamesCache
}

/** Returns the paths of files and reusable contents that the pages of an import refer to. */
export const usedPaths = (
  { contentIds, fileIds }: ImportedFolder,
  pages: ImportCache["pages"]
): ReadonlySet<string> => {
  const usedIds = new Set(Array.from(pages.values()).flatMap(({ targets }) => Array.from(targets.values(), idIn)))
  return new Set([...fileIds, ...contentIds].flatMap(([path, id]) => (usedIds.has(id) ? [path] : [])))
}

export const find = Effect.fnUntraced(function* (
  { contentIds, plan }: ImportedFolder,
  { cache, folder, prefix, used }: UnusedFileOptions
) {
  const { index } = plan
  const usedFolders = new Set(
    Array.from(used).flatMap((path) => (contentIds.has(path) ? [] : [FolderPath.directory(path)]))
  )
  const candidates = [
    ...plan.reusableContents,
    ...Array.from(index.files).filter(({ path }) => {
      // Pictures of programs are in folders of their own.
      const isOfPages = FolderPath.isAsset(path) || usedFolders.has(FolderPath.directory(path))
      const isPublic = !FolderPath.isInHiddenFolder(path.slice(prefix.length)) || FolderPath.isAsset(path)
      const isMedia = media.test(path) && !requestedByName.test(FolderPath.baseName(path))
      return path.startsWith(prefix) && isOfPages && isPublic && isMedia
    })
  ].filter(({ path }) => !used.has(path))
  if (candidates.length === 0) return []
  const problems: Array<Problem> = []
  const names: Array<Names> = repositoryTexts(folder).map(namesIn)
  for (const file of index.files) {
    if (!text.test(file.path) || file.size > maxTextBytes) continue
    let fileNames = cache.get(file)
    if (fileNames === undefined) {
      const source = decoder.decode(yield* file.bytes())
      fileNames = new Set([...namesIn(source), ...(program.test(file.path) ? foldersIn(source) : [])])
      cache.set(file, fileNames)
      yield* Effect.yieldNow
    }
    names.push(fileNames)
  }
  for (const { path } of candidates) {
    const name = FolderPath.baseName(path).normalize("NFC").toLowerCase()
    // A name with spaces or brackets is found by its last word.
    const word = name.split(/[\s"'`()<>[\]{}|,;=/\\:?#*]/).at(-1)!
    const parent = `${FolderPath.baseName(FolderPath.directory(path)).toLowerCase()}/`
    if (names.some((one) => one.has(word) || one.has(parent))) continue
    const message = contentIds.has(path) ? "No page includes this content" : "Nothing in the folder refers to this file"
    problems.push({ path, rule: "unused-file", message })
  }
  return problems
})

/** Returns the texts directly in the folders above the folder, up to the folder of the repository. */
const repositoryTexts = (folder: string): ReadonlyArray<string> => {
  const parents: Array<string> = []
  for (let current = folder; !existsSync(join(current, ".git")); current = parents.at(-1)!) {
    const parent = dirname(current)
    if (parent === current) return []
    parents.push(parent)
  }
  return parents.flatMap((parent) =>
    readdirSync(parent, { withFileTypes: true }).flatMap((entry) => {
      const path = join(parent, entry.name)
      const isText = entry.isFile() && text.test(entry.name) && statSync(path).size <= maxTextBytes
      return isText ? [readFileSync(path, "utf8")] : []
    })
  )
}

/** Returns the id of a file or reusable content that a target of the cache names. */
const idIn = (target: string): string | undefined => {
  if (!target.startsWith("{")) return undefined
  const ref = JSON.parse(target) as { readonly file?: string; readonly reusableContent?: string }
  return ref.file ?? ref.reusableContent
}

const namesIn = (source: string): Names =>
  new Set(
    Array.from(source.matchAll(nameInText), ([name]) => {
      const decoded = name.includes("%") ? decodePercent(name) : name
      return decoded
        .normalize("NFC")
        .toLowerCase()
        .split(/[\s()]/)
        .at(-1)!
    })
  )

/** Returns the names of folders in a program, with `/` at their end. */
const foldersIn = (source: string): Names =>
  new Set(Array.from(source.matchAll(folderInText), ([name]) => name.toLowerCase()))
