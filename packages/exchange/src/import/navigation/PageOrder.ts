/**
 * Reads the order and the names in navigation that files of other programs state, for trees that come from folders.
 * Pages: the front matter keys of the dialects. Folders: `_category_.json` or `_category_.yml` (Docusaurus).
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

const maxBytes = 64 * 1024

interface OrderFields {
  /** Sort position; entries without a position come last. */
  readonly position?: number | undefined
  readonly label?: string | undefined
}

export interface PageOrder {
  /** Fields by the path of a page's file. */
  readonly pages: ReadonlyMap<string, OrderFields>
  /** Fields by the path of a folder. */
  readonly folders: ReadonlyMap<string, OrderFields>
}

export const isCategory = (path: string): boolean => /(?:^|\/)_category_\.(?:json|ya?ml)$/.test(path)

export const read = Effect.fnUntraced(function* (
  markdown: ReadonlyArray<FolderFile>,
  files: Iterable<FolderFile>
): Effect.fn.Return<PageOrder, FolderUnreadable> {
  const pages = new Map<string, OrderFields>()
  const folders = new Map<string, OrderFields>()
  const slice = yield* Slice.start
  for (const file of files) {
    if (!isCategory(file.path) || file.size > maxBytes) continue
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
    if (frontMatter === undefined || !orderKeyLine.test(frontMatter)) continue
    const { fields } = FrontMatterLines.read(frontMatter)
    pages.set(file.path, {
      position: first(positionKeys, fields, numberOf) ?? first(weightKeys, fields, weightOf),
      label: first(labelKeys, fields, textOf)
    })
  }
  return { pages, folders }
})

const decoder = new TextDecoder()

const positionKeys = Dialects.frontMatterKeys("position")
const weightKeys = Dialects.frontMatterKeys("weight")
const labelKeys = Dialects.frontMatterKeys("label")
const orderKeyLine = new RegExp(`^["']?(?:${[...positionKeys, ...weightKeys, ...labelKeys].join("|")})["']?\\s*:`, "m")

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

/** Returns a weight; 0 means no weight. */
const weightOf = (value: unknown): number | undefined => numberOf(value) || undefined
