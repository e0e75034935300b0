/**
 * One-word edits of pages imported from a folder. The page is exported with one word replaced, and its bytes are
 * compared with those of its file.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { FolderExports } from "@lectern/exchange/export/FolderExports"
import { ExportUrls } from "@lectern/exchange/export/ExportUrls"
import type { Page } from "@lectern/exchange/export/PageText"
import * as PageText from "@lectern/exchange/export/PageText"
import type { LinkedPaths } from "@lectern/exchange/export/WritePage"
import * as StoredDocuments from "@lectern/core/content/documents/StoredDocument"
import { file, type FolderFile } from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { Threads } from "@lectern/core/thread/Threads"
import type { Inline, Leaf } from "@lectern/document/Document"
import { Effect, Layer } from "effect"
import { newSpace, onInstance } from "../import/Imports.ts"

interface ImportedPage {
  readonly page: Page
  readonly urls: ExportUrls
  /** Text of the page's file. */
  readonly text: string
}

/** Returns the pages of a folder as an export reads them. */
const importedPages = (files: ReadonlyArray<FolderFile>) => {
  const pages: Array<ImportedPage> = []
  const urls = new WeakMap<object, ExportUrls>()
  const urlsOf = (linked: LinkedPaths): ExportUrls => {
    const known = urls.get(linked) ?? new ExportUrls(linked.space, linked.paths)
    urls.set(linked, known)
    return known
  }
  const recording = Layer.effect(
    Threads,
    Effect.map(Threads, ({ inPlace, run }) =>
      Threads.of({
        inPlace,
        run: (computation, input, options) => {
          if (computation.name === "write-page") {
            const page = input as Page
            const { text } = page.source === undefined ? {} : StoredDocuments.parseValue(page.source)
            if (text !== undefined) pages.push({ page, text, urls: urlsOf(options!.shared as LinkedPaths) })
          }
          return run(computation, input, options)
        }
      })
    )
  ).pipe(Layer.provide(Threads.layer))
  return onInstance(
    Effect.gen(function* () {
      const space = yield* newSpace
      yield* (yield* FolderImports).importFolder(space, { files })
      yield* (yield* FolderExports).exportFolder(space, { write: () => Effect.void })
      return pages
    }),
    recording
  )
}

/**
 * Difference after an edit: `exact` = only the word's bytes; `line` = other bytes of its line, too; `other` = other
 * lines, too.
 */
type Outcome = "exact" | "line" | "other"

interface WordEdit {
  readonly outcome: Outcome
  readonly word: string
  readonly path: string
  readonly before: string
  readonly after: string
}

const words = /[\p{L}\p{N}]+/gu
const newWord = "Quincexylo"

/** Exports the page with one word replaced. `random` returns numbers in [0, 1). Undefined for a page without words. */
const editWord = ({ page, text, urls }: ImportedPage, random: () => number): WordEdit | undefined => {
  const document = StoredDocuments.parseDocument(page.document)
  const leaves: Array<Leaf> = []
  collectLeaves(document.nodes, leaves)
  if (leaves.length === 0) return undefined
  const leaf = leaves[Math.floor(random() * leaves.length)]!
  const found = Array.from(leaf.text.matchAll(words))
  const { 0: word, index } = found[Math.floor(random() * found.length)]!
  const edited = { ...leaf, text: leaf.text.slice(0, index) + newWord + leaf.text.slice(index + word.length) }
  const after = PageText.write({
    ...page,
    urls,
    document: StoredDocuments.serialize({ ...document, nodes: exchanged(document.nodes, leaf, edited) })
  }).text
  return { outcome: outcomeOf(text, after, word), word, path: page.path, before: text, after }
}

const collectLeaves = (value: unknown, into: Array<Leaf>): void => {
  if (Array.isArray(value)) for (const one of value) collectLeaves(one, into)
  else if (typeof value === "object" && value !== null) {
    if ("object" in value && value.object === "leaf") {
      const leaf = value as Leaf
      if (/[\p{L}\p{N}]/u.test(leaf.text)) into.push(leaf)
      return
    }
    // Skips text that is also the destination or label of its link, since an edit would change both.
    if ("type" in value && value.type === "link" && isAlsoDestination(value as Inline)) return
    // Skips titles of columns, since column definitions repeat them.
    if ("fragment" in value && typeof value.fragment === "string" && value.fragment.startsWith("header-")) return
    for (const one of Object.values(value)) collectLeaves(one, into)
  }
}

const isAlsoDestination = ({ data, nodes = [] }: Inline): boolean => {
  const texts = nodes.flatMap((node) => (node.object === "text" ? node.leaves.map(({ text }) => text) : []))
  return data?.reference !== undefined || /^(?:https?:|www\.)|@/.test(texts.join(""))
}

const exchanged = <A>(value: A, from: unknown, to: unknown): A => {
  if (value === from) return to as A
  if (Array.isArray(value)) return value.map((one) => exchanged(one, from, to)) as A
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, exchanged(one, from, to)])) as A
}

const outcomeOf = (before: string, after: string, word: string): Outcome => {
  const at = after.indexOf(newWord)
  if (at !== -1 && before === after.slice(0, at) + word + after.slice(at + newWord.length)) return "exact"
  const [was, is] = [before.split("\n"), after.split("\n")]
  let start = 0
  while (start < was.length && was[start] === is[start]) start++
  let end = 0
  while (end < was.length - start && was.at(-1 - end) === is.at(-1 - end)) end++
  return was.length - start - end <= 1 && is.length - start - end <= 1 ? "line" : "other"
}

/**
 * Edits random pages of a folder. Asserts that 99 of 100 edits change only the word's bytes, and that no edit changes
 * another line.
 */
export const assertWordEdits = Effect.fnUntraced(function* (
  folder: string,
  { numRuns, seed }: { readonly numRuns: number; readonly seed: number }
) {
  const pages = yield* importedPages(filesIn(folder))
  const random = randomFrom(seed)
  const edits: Array<WordEdit> = []
  for (let i = 0; i < numRuns; i++) {
    const edit = editWord(pages[Math.floor(random() * pages.length)]!, random)
    if (edit !== undefined) edits.push(edit)
  }
  const named = (all: ReadonlyArray<WordEdit>) => all.map(({ path, word }) => `${path}: ${word}`)
  const wider = edits.filter(({ outcome }) => outcome !== "exact")
  assert.deepStrictEqual(named(wider.filter(({ outcome }) => outcome === "other")), [])
  assert.isAtMost(wider.length, edits.length / 100, named(wider).join("\n"))
})

const filesIn = (folder: string): ReadonlyArray<FolderFile> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((full) => file(full.slice(folder.length + 1), readFileSync(full)))

/** Returns a generator of numbers in [0, 1) that is deterministic for a seed. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
