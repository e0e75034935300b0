/** Shared steps of export tests: exports into memory, and comparable contents without ids. */
import { FolderExports } from "@lectern/exchange/export/FolderExports"
import type { ContentRef, Document } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import type { ImportProblem } from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { files, reader, revisionCount } from "../import/Imports.ts"
import { documentOf } from "../../../core/test/content/Documents.ts"

export const exportFolder = Effect.fnUntraced(function* (space: SpaceId, isCaseSensitive = false) {
  const written: Record<string, Uint8Array> = {}
  const report = yield* (yield* FolderExports).exportFolder(space, {
    isCaseSensitive,
    write: (path, bytes) =>
      Effect.sync(() => {
        assert.notProperty(written, path)
        written[path] = bytes
      })
  })
  return { files: written, problems: report.problems.map(({ path, message }) => `${path}: ${message}`), report }
})

export const texts = (folder: Readonly<Record<string, Uint8Array>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(folder)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, bytes]) => [path, Array.from(bytes.slice(0, 100_000), (byte) => String.fromCharCode(byte)).join("")])
  )

/**
 * Returns siblings in order. Hidden pages come last, by slug, since a folder has no order for pages without an entry.
 */
const inOrder = (nodes: ReadonlyArray<PageTree.PageNode>): ReadonlyArray<PageTree.PageNode> => {
  const isHidden = ({ page }: PageTree.PageNode) => page.hidden === true
  const hidden = nodes.filter(isHidden).sort((a, b) => (a.page.slug < b.page.slug ? -1 : 1))
  return [...nodes.filter((node) => !isHidden(node)), ...hidden]
}

/** Returns the content of a space with paths instead of ids, and its documents separately. */
export const look = Effect.fnUntraced(function* (space: SpaceId) {
  const content = yield* reader(space)
  const names = new Map<string, string>([[space, "this space"]])
  const tree = yield* PageTree.tree(content)
  const visit = (nodes: ReadonlyArray<PageTree.PageNode>, above: string): void => {
    for (const [i, { page, pages }] of inOrder(nodes).entries()) {
      names.set(page.id, `page ${above}${i}`)
      visit(pages, `${above}${i}.`)
    }
  }
  visit(tree, "")
  // Two files may have the same name.
  const entries = (yield* content.files).map(
    (entry) => [`${entry.name} ${entry.contentType} ${entry.blob}`, entry] as const
  )
  for (const [name, { id }] of entries) names.set(id, `file ${name}`)
  const reusable = yield* content.reusableContents
  const reusableName = (title: string, hash: string) => `reusable ${title} ${hash}`

  const named = (ref: ContentRef): ContentRef => {
    if ("space" in ref && ref.space !== undefined && ref.space !== space) return ref
    const plain =
      "space" in ref && ref.space === space && ref.kind !== "space" ? (({ space: _, ...rest }) => rest)(ref) : ref
    return Object.fromEntries(
      Object.entries(plain).map(([name, value]) => [
        name,
        name === "kind" || name === "url" || name === "anchor" ? value : (names.get(value) ?? value)
      ])
    ) as unknown as ContentRef
  }
  for (const { id, title } of reusable) names.set(id, reusableName(title, ""))
  const namedDocument = Effect.fnUntraced(function* (hash: Parameters<typeof content.document>[0]) {
    return DocumentRefs.mapRefs(yield* documentOf(content, hash), named)
  })

  const documents = new Map<string, Document>()
  const pages: Array<unknown> = []
  for (const page of yield* content.allPages) {
    const name = names.get(page.id)!
    const {
      id: _,
      parent: _p,
      position: _o,
      createdAt: _c,
      updatedAt: _u,
      git: _g,
      source: _s,
      document,
      target,
      cover,
      ...rest
    } = page
    const set = Object.entries(rest).filter(([, value]) => value !== false)
    pages.push({
      name,
      ...Object.fromEntries(set),
      ...(target && { target: named(target) }),
      ...(cover && {
        cover: {
          ...cover,
          ...(cover.ref && { ref: named(cover.ref) }),
          ...(cover.refDark && { refDark: named(cover.refDark) })
        }
      })
    })
    documents.set(name, yield* namedDocument(document))
  }
  for (const { title, document } of reusable) documents.set(reusableName(title, ""), yield* namedDocument(document))
  const byName = (values: Array<unknown>) => values.map((value) => JSON.stringify(value)).sort()
  return {
    pages: (pages as Array<{ readonly name: string }>).sort((a, b) => (a.name < b.name ? -1 : 1)),
    files: byName(entries.map(([name, { size, dimensions }]) => ({ name, size, dimensions }))),
    reusableContents: byName(reusable.map(({ title }) => title)),
    variables: yield* content.variables,
    documents
  }
})

const newSpaceBeside = Effect.fnUntraced(function* (space: SpaceId) {
  const { organization } = yield* (yield* Spaces).get(space)
  return (yield* (yield* Spaces).create(organization, { title: "Copy" })).id
})

/**
 * Returns the problems of an import except links without a target and invalid front matter. An export preserves both
 * unchanged.
 */
const besideLinks = (problems: ReadonlyArray<ImportProblem>): Array<ImportProblem> =>
  problems.filter(
    ({ message }) => !/^(?:A link leads to nothing|Links lead to nothing|The front matter is no YAML)/.test(message)
  )

/**
 * Asserts every law of exports for a space. Returns the export. `problems`: problems of the folder from which the space
 * was imported, whose text is exported unchanged.
 */
export const assertLaws = Effect.fnUntraced(function* (space: SpaceId, problems: ReadonlyArray<ImportProblem> = []) {
  const exported = yield* exportFolder(space)
  const copy = yield* newSpaceBeside(space)
  const imports = yield* FolderImports
  const { report } = yield* imports.importFolder(copy, { files: files(exported.files) })
  assert.sameDeepMembers(besideLinks(report.problems), besideLinks(problems))

  const [before, after] = [yield* look(space), yield* look(copy)]
  assert.deepStrictEqual(after.pages, before.pages)
  assert.deepStrictEqual(after.files, before.files)
  assert.deepStrictEqual(after.reusableContents, before.reusableContents)
  assert.deepStrictEqual(after.variables, before.variables)
  assert.sameMembers([...after.documents.keys()], [...before.documents.keys()])
  if (exported.problems.length === 0) {
    for (const [name, document] of before.documents) {
      if (align(document, after.documents.get(name)!) !== document) {
        assert.deepStrictEqual(after.documents.get(name), document, name)
      }
    }
  }

  const again = yield* exportFolder(copy)
  assert.deepStrictEqual(texts(again.files), texts(exported.files))

  const count = yield* revisionCount(copy)
  yield* imports.importFolder(copy, { files: files(exported.files) })
  assert.strictEqual(yield* revisionCount(copy), count)
  return exported
})
