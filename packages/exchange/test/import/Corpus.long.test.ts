/** Real documentation, which is not part of the project: skipped where it is not there. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { Block, Document } from "@lectern/document/Document"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import * as Folder from "@lectern/exchange/import/Folder"
import { makeMarkdowns } from "@lectern/core/content/documents/Markdowns"
import { Effect } from "effect"
import * as Syntax from "@lectern/document/markdown/Syntax"
import type { Node } from "@lectern/document/markdown/syntax/SyntaxTree"
import { newSpace, onInstance, reader, revisionCount } from "./Imports.ts"
import { documentOf } from "../../../core/test/content/Documents.ts"

const corpus = resolve(import.meta.dirname, "../../../../../shared/corpus")

const folders = [
  {
    name: "brighter",
    markdownFiles: 192,
    tabs: 0,
    hints: 0,
    missing: 2,
    duplicates: 2,
    redirects: 0,
    leftOut: ["LICENSE", "source/.gitbook.yaml"]
  },
  {
    name: "adobe-aep",
    markdownFiles: 246,
    tabs: 424,
    hints: 393,
    missing: 0,
    duplicates: 0,
    redirects: 2,
    leftOut: ["LICENSE", "tutorials/end2end/images/web-analytics-addDataElement.png"]
  }
]

const read = (folder: string): ReadonlyArray<Folder.FolderFile> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const full = join(entry.parentPath, entry.name)
      return Folder.file(full.slice(folder.length + 1), readFileSync(full))
    })

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

const blocks = (document: Document, type: string): number => {
  let found = 0
  const open: Array<unknown> = [...document.nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { type: one, nodes, fragments } = node as Block
    if (one === type) found++
    open.push(...(nodes ?? []), ...(fragments ?? []))
  }
  return found
}

const links = (markdown: string): number => {
  let found = 0
  const open: Array<Node> = [Syntax.parse(markdown, { isPlain: true })]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "link" || node.type === "image") found++
    if ("children" in node) open.push(...node.children)
  }
  return found
}

for (const expected of folders) {
  const folder = join(corpus, expected.name)
  const isThere = existsSync(folder)
  if (!isThere) console.warn(`SKIPPED: ${folder} is not there, so its import is not tested`)

  describe.skipIf(!isThere)(`import of ${expected.name}`, () => {
    it.effect("loses no page, tab, hint or link, and a second one changes nothing", () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          const files = read(folder)
          const sources = new Map<string, string>()
          for (const file of files) {
            if (file.path.endsWith(".md")) sources.set(file.path, new TextDecoder().decode(yield* file.bytes()))
          }
          assert.strictEqual(sources.size, expected.markdownFiles)
          sources.delete("SUMMARY.md")

          const { report } = yield* (yield* FolderImports).importFolder(space, { files })
          console.info(
            `${expected.name}: ${report.added.length} added, ${report.problems.length} problems\n` +
              report.problems.map(({ path, line, message }) => `  ${path}:${line ?? ""} ${message}`).join("\n")
          )
          assert.strictEqual(
            report.problems.filter(({ message }) => message.includes("has no file")).length,
            expected.missing
          )
          assert.strictEqual(
            report.problems.filter(({ message }) => message.includes("already")).length,
            expected.duplicates
          )
          const redirects = report.problems.filter(({ message }) => message.startsWith("The redirect from"))
          assert.strictEqual(redirects.length, expected.redirects)
          const leftOut = report.problems.filter(({ message }) => message === "It is left out: no page leads to it")
          assert.deepStrictEqual(
            leftOut.map(({ path }) => path),
            expected.leftOut
          )
          const toNothing = report.problems.filter(({ message }) => message.includes("to nothing in the folder"))
          const known = expected.missing + expected.duplicates + expected.redirects + leftOut.length + toNothing.length
          assert.strictEqual(report.problems.length, known)

          const content = yield* reader(space)
          const pages = (yield* content.allPages).filter(
            (page) => page.type === "document" && page.unlinked === undefined
          )
          assert.sameMembers(
            pages.map(({ git }) => git!.path),
            [...sources.keys()]
          )
          const markdowns = yield* makeMarkdowns
          let tabs = 0
          let hints = 0
          for (const page of pages) {
            const source = sources.get(page.git!.path)!
            const document = yield* documentOf(content, page.document)
            const printed = yield* markdowns.get(page.document)
            tabs += blocks(document, "tabs")
            hints += blocks(document, "hint")
            for (const tag of [/\{% *tabs *%\}/g, /\{% *tab /g, /\{% *embed /g]) {
              assert.strictEqual(count(printed, tag), count(source, tag), `${page.git!.path} ${tag.source}`)
            }
            // Quotes that begin so are hints, too.
            const hint = /\{% *hint |^ *>[ \t]*\[!(?:NOTE|TIP|WARNING)\]/gm
            assert.strictEqual(count(printed, /\{% *hint /g), count(source, hint), page.git!.path)
            // By a parser that is not ours, and knows nothing of tags.
            assert.isAtLeast(links(printed), links(source), page.git!.path)
          }
          console.info(
            `${expected.name}: ${tabs} of ${expected.tabs} groups of tabs and ${hints} of ${expected.hints} hints are blocks`
          )
          const text = [...sources.values()].join("\n")
          assert.strictEqual(count(text, /\{% tabs %\}/g), expected.tabs)
          assert.strictEqual(count(text, /\{% hint /g), expected.hints)
          // What is not well-formed in the source (a tag without its end) stays as it is written.
          assert.isAtLeast(tabs, expected.tabs - 3)
          assert.isAtLeast(hints, expected.hints - 4)

          const before = yield* revisionCount(space)
          const again = yield* (yield* FolderImports).importFolder(space, { files })
          assert.strictEqual(yield* revisionCount(space), before)
          assert.deepStrictEqual([again.report.added, again.report.changed, again.report.removed], [[], [], []])
        })
      )
    )
  })
}
