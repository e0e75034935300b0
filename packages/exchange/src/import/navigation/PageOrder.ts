/**
 * Reads the order and the names in navigation that files of other programs state, for trees that come from folders.
 * Pages: the front matter keys of the dialects. Folders: `_category_.json` or `_category_.yml` (Docusaurus). Both:
 * `_meta.json` or `_meta.js` (see `Nextra`).
 *
 * Limits: the front matter limits of `FrontMatter`, 64 KiB for a folder's file.
 */
import { Effect, Result } from "effect"
import * as Dialects from "@lectern/document/markdown/dialect/Dialects"
import * as FrontMatterLines from "@lectern/document/markdown/FrontMatterLines"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as YamlText from "@lectern/document/YamlText"
import { Slice } from "@lectern/core/storage/Slice"
import type { FolderFile, FolderUnreadable } from "../Folder.ts"
import * as FolderPath from "../FolderPath.ts"
import { isRecord, textOf } from "./NavigationEntry.ts"
import * as Nextra from "./Nextra.ts"

const maxBytes = 64 * 1024

interface OrderFields {
  /** Sort position; entries without a position come last. */
  readonly position?: number | undefined
  readonly label?: string | undefined
  readonly hidden?: boolean | undefined
}

export interface PageOrder {
  /** Fields by the path of a page's file. */
  readonly pages: ReadonlyMap<string, OrderFields>
  /** Fields by the path of a folder. */
  readonly folders: ReadonlyMap<string, OrderFields>
}

export const noOrder: PageOrder = { pages: new Map(), folders: new Map() }

const isCategory = (path: string): boolean => /(?:^|\/)_category_\.(?:json|ya?ml)$/.test(path)

/** True for the files of folders that this module reads. */
export const isFolderFile = (path: string): boolean => isCategory(path) || Nextra.isMeta(path)

/** `showsDrafts`: true if drafts are not hidden. */
export const read = Effect.fnUntraced(function* (
  markdown: ReadonlyArray<FolderFile>,
  files: Iterable<FolderFile>,
  showsDrafts = false
): Effect.fn.Return<PageOrder, FolderUnreadable> {
  const pages = new Map<string, OrderFields>()
  const folders = new Map<string, OrderFields>()
  const listed = new Map<string, OrderFields>()
  const slice = yield* Slice.start
  const hidingKeys = showsDrafts ? hiddenKeys : [...hiddenKeys, ...draftKeys]
  for (const file of files) {
    if (!isFolderFile(file.path) || file.size > maxBytes) continue
    if (Nextra.isMeta(file.path)) {
      const folder = FolderPath.directory(file.path)
      const entries = Nextra.read(decoder.decode(yield* file.bytes()), file.path) ?? []
      for (const [position, { name, ...fields }] of entries.entries())
        listed.set(folder === "" ? name : `${folder}/${name}`, { position, ...fields })
      continue
    }
    const value = YamlText.parseYaml(decoder.decode(yield* file.bytes()))
    if (Result.isFailure(value) || !isRecord(value.success)) continue
    const { label, position } = value.success
    folders.set(FolderPath.directory(file.path), { position: numberOf(position), label: textOf(label) })
    if (slice.isOver()) yield* slice.pause
  }
  for (const file of markdown) {
    const text = decoder.decode((yield* file.bytes()).subarray(0, maxBytes + 1024)).replace(/^\uFEFF|\r/g, "")
    if (slice.isOver()) yield* slice.pause
    const { frontMatter } = FrontMatter.split(text)
    const listing = listed.get(FolderPath.withoutExtension(file.path))
    if (listing !== undefined) pages.set(file.path, listing)
    if (frontMatter === undefined || !orderKeyLine.test(frontMatter)) continue
    const { fields } = FrontMatterLines.read(frontMatter)
    const mapping = first(mappingKeys, fields, (value) => (isRecord(value) ? value : undefined)) ?? {}
    pages.set(file.path, {
      position:
        first(positionKeys, fields, numberOf) ??
        first(weightKeys, fields, weightOf) ??
        numberOf(mapping["order"]) ??
        listing?.position,
      label: first(labelKeys, fields, textOf) ?? textOf(mapping["label"]) ?? listing?.label,
      hidden: first(hidingKeys, fields, isTrue) ?? isTrue(mapping["hidden"]) ?? listing?.hidden
    })
  }
  for (const [path, fields] of listed) folders.set(path, { ...fields, ...folders.get(path) })
  return { pages, folders }
})

const decoder = new TextDecoder()

const positionKeys = Dialects.frontMatterKeys("position")
const weightKeys = Dialects.frontMatterKeys("weight")
const labelKeys = Dialects.frontMatterKeys("label")
const hiddenKeys = Dialects.frontMatterKeys("hidden")
const mappingKeys = Dialects.frontMatterKeys("mapping")
const draftKeys = Dialects.frontMatterKeys("draft")
const allKeys = [...positionKeys, ...weightKeys, ...labelKeys, ...hiddenKeys, ...draftKeys, ...mappingKeys]
const orderKeyLine = new RegExp(`^["']?(?:${allKeys.join("|")})["']?\\s*:`, "m")

/** Returns the first value that `read` accepts among the fields with these keys. */
const first = <A>(
  keys: ReadonlyArray<string>,
  fields: { readonly [key: string]: unknown },
  read: (value: unknown) => A | undefined
): A | undefined => keys.map((key) => read(fields[key])).find((value) => value !== undefined)

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

const isTrue = (value: unknown): true | undefined => (value === true || value === "true" ? true : undefined)

/** Returns a weight; 0 means no weight. */
const weightOf = (value: unknown): number | undefined => numberOf(value) || undefined
