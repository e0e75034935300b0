/**
 * Finds pictures, videos, documents and reusable content that nothing in the folder refers to. A file whose name occurs
 * anywhere in a text of the folder counts as used, since other programs, scripts and styles refer to files too.
 *
 * Limit: texts of up to 1 MiB are searched.
 */
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

const decoder = new TextDecoder()

/** Names of files in a text, in lower case. */
type Names = ReadonlySet<string>

/** Names in each text. A file is read again only if it changed. */
export type NamesCache = WeakMap<FolderFile, Names>

export const find = Effect.fnUntraced(function* (
  { contentIds, fileIds, plan }: ImportedFolder,
  pages: ImportCache["pages"],
  cache: NamesCache
) {
  const usedIds = new Set(Array.from(pages.values()).flatMap(({ targets }) => Array.from(targets.values(), idIn)))
  const { index, root } = plan
  const prefix = root === "" ? "" : `${root}/`
  const candidates = Array.from(index.files).filter(({ path }) => {
    const id = fileIds.get(path)
    const isPublic = !FolderPath.isInHiddenFolder(path.slice(prefix.length)) || FolderPath.isAsset(path)
    const isMedia = media.test(path) && !requestedByName.test(FolderPath.baseName(path))
    return path.startsWith(prefix) && isPublic && isMedia && !(id !== undefined && usedIds.has(id))
  })
  const problems = plan.reusableContents.flatMap(({ path }): ReadonlyArray<Problem> => {
    const id = contentIds.get(path)
    if (id === undefined || usedIds.has(id)) return []
    return [{ path, rule: "unused-file", message: "No page includes this content" }]
  })
  if (candidates.length === 0) return problems
  const texts = Array.from(index.files).filter(({ path, size }) => text.test(path) && size <= maxTextBytes)
  for (const file of texts) {
    if (cache.has(file)) continue
    const bytes = yield* file.bytes()
    cache.set(file, namesIn(decoder.decode(bytes)))
    yield* Effect.yieldNow
  }
  for (const { path } of candidates) {
    const name = FolderPath.baseName(path).normalize("NFC").toLowerCase()
    // A name with spaces or brackets is found by its last word.
    const word = name.split(/[\s"'`()<>[\]{}|,;=/\\:?#*]/).at(-1)!
    if (texts.some((file) => cache.get(file)?.has(word))) continue
    problems.push({ path, rule: "unused-file", message: "Nothing in the folder refers to this file" })
  }
  return problems
})

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
