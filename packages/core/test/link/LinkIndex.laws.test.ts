/**
 * Whatever happens to pages, files and reusable content, links are what the documents say: held
 * against a model that reads every document and looks for every target.
 */
import type { StoredDocument } from "@lectern/core/content/documents/StoredDocument"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe } from "vitest"
import * as Content from "@lectern/core/content/Content"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import type { Block, ContentRef, Document } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as DocumentText from "@lectern/document/DocumentText"
import type { FileEntry } from "@lectern/core/content/files/File"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import { type ObjectDraft, Objects } from "@lectern/core/content/store/Objects"
import type { PageEntry } from "@lectern/core/content/pages/Page"
import * as LinkMap from "@lectern/core/content/pages/LinkMap"
import * as LinkIndex from "@lectern/core/link/LinkIndex"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { document, documentOf as storedAt, paragraph } from "../content/Documents.ts"
import { layer } from "../content/store/MemoryObjects.ts"
import { runs } from "../Runs.ts"

const space = "own"
const addresses = { publicUrl: "https://app.example", sites: "https://app.example/sites" }

const pages = Array.from({ length: 12 }, (_, i) => `p${i}`)
const files = ["f0", "f1", "f2"]
const reusableContents = ["r0", "r1", "r2"]
const anchors = ["a0", "a1", "a2"]

const refs: fc.Arbitrary<ContentRef> = fc.oneof(
  fc.record({ kind: fc.constant("page" as const), page: fc.constantFrom(...pages) }),
  fc.record({ kind: fc.constant("page" as const), page: fc.constantFrom(...pages), space: fc.constant(space) }),
  fc.record({
    kind: fc.constant("anchor" as const),
    page: fc.constantFrom(...pages),
    anchor: fc.constantFrom(...anchors)
  }),
  fc.record({ kind: fc.constant("anchor" as const), anchor: fc.constantFrom(...anchors) }),
  fc.record({ kind: fc.constant("file" as const), file: fc.constantFrom(...files) }),
  fc.record({
    kind: fc.constant("reusable-content" as const),
    reusableContent: fc.constantFrom(...reusableContents)
  }),
  fc.record({
    kind: fc.constant("url" as const),
    url: fc.constantFrom(
      "https://example.com/x",
      "./gone.md",
      "mailto:a@b.example",
      "https://app.example/v1/orgs/o",
      "a\tb"
    )
  })
)

const parts = fc.record({
  refs: fc.array(fc.tuple(refs, fc.constantFrom("link", "reusable-content", "table")), { maxLength: 4 }),
  headings: fc.array(fc.constantFrom(...anchors), { maxLength: 2 })
})

const edit = fc.oneof(
  fc.record({ do: fc.constant("write" as const), page: fc.nat(11), parts }),
  fc.record({ do: fc.constant("move" as const), page: fc.nat(11), other: fc.nat(12), slug: fc.nat(3) }),
  fc.record({ do: fc.constant("remove" as const), page: fc.nat(11) }),
  fc.record({ do: fc.constant("restore" as const), page: fc.nat(11) }),
  fc.record({ do: fc.constant("target" as const), page: fc.nat(11), ref: refs }),
  fc.record({ do: fc.constant("file" as const), n: fc.nat(2), gone: fc.boolean() }),
  fc.record({ do: fc.constant("reusable" as const), n: fc.nat(2), gone: fc.boolean(), parts })
)
type Edit = typeof edit extends fc.Arbitrary<infer A> ? A : never
type Parts = typeof parts extends fc.Arbitrary<infer A> ? A : never

const heading = (key: string, text: string): Block => ({ ...paragraph(key, text), type: "heading-2" })

const holding = (key: string, ref: ContentRef, how: string): Block => {
  if (how === "reusable-content") return { object: "block", type: how, key, data: { ref } }
  if (how === "table") return { object: "block", type: how, key, data: { records: { r: { values: { c: [ref] } } } } }
  return { ...paragraph(key, ""), nodes: [{ object: "inline", type: "link", data: { ref }, nodes: [] }] }
}

const documentOf = ({ refs, headings }: Parts): StoredDocument =>
  document(
    ...headings.map((text, i) => heading(`h${i}`, text)),
    ...refs.map(([ref, how], i) => holding(`k${i}`, ref, how))
  )

/** Applies the edits that make sense; each `finish` is a revision that the next begins with. */
const apply = Effect.fnUntraced(function* (draft: ObjectDraft, content: Content.Content, edits: ReadonlyArray<Edit>) {
  let current = content
  const removed = new Map<string, PageEntry>()
  for (let at = 0; at < edits.length; at += 3) {
    const editor = ContentEditor.make(draft, current, Timestamps.at(at))
    for (const one of edits.slice(at, at + 3)) yield* Effect.catch(step(editor, one, removed), () => Effect.void)
    current = yield* editor.finish
  }
  return current
})

const step = (
  editor: ContentEditor.ContentEditor,
  one: Edit,
  removed: Map<string, PageEntry>
): Effect.Effect<unknown, unknown> =>
  Effect.gen(function* () {
    switch (one.do) {
      case "write": {
        const id = pages[one.page]!
        if ((yield* editor.page(id)) === undefined) {
          return yield* editor.insertPage({ id, title: id, document: documentOf(one.parts) })
        }
        return yield* editor.setDocument(id, documentOf(one.parts))
      }
      case "move":
        yield* editor.updatePage(pages[one.page]!, { title: `Renamed ${one.slug}` })
        return yield* editor.movePage(pages[one.page]!, { parent: pages[one.other] ?? null, slug: `s${one.slug}` })
      case "remove": {
        const entry = yield* editor.page(pages[one.page]!)
        if (entry !== undefined) removed.set(entry.id, entry)
        return yield* editor.removePage(pages[one.page]!)
      }
      case "restore": {
        const entry = removed.get(pages[one.page]!)
        if (entry === undefined || (yield* editor.page(entry.id)) !== undefined) return
        return yield* editor.replacePages(new Map([[entry.id, { ...entry, parent: null }]]))
      }
      case "target":
        return yield* editor.updatePage(pages[one.page]!, { cover: { ref: one.ref, yPos: 0 } })
      case "file":
        return yield* one.gone
          ? editor.removeFile(files[one.n]!)
          : editor.putFile({ id: files[one.n], name: "x", contentType: "text/plain", size: 1, blob: "b" } as FileEntry)
      case "reusable": {
        const id = reusableContents[one.n]!
        if (one.gone) return yield* editor.removeReusableContent(id)
        const hash = yield* editor.writeDocument(documentOf(one.parts))
        return yield* editor.putReusableContent({ id, title: id, ...(hash && { document: hash }) })
      }
    }
  })

/** `status url` with the sources that link there. */
const model = Effect.fnUntraced(function* (draft: ObjectDraft, content: Content.Content) {
  const reader = ContentReader.make(draft, content)
  const documents = new Map<string, { readonly document: Document; readonly beside: ReadonlyArray<ContentRef> }>()
  for (const page of yield* reader.allPages) {
    const beside = [page.cover?.ref].filter((ref) => ref !== undefined)
    documents.set(page.id, { document: yield* storedAt(reader, page.document), beside })
  }
  for (const { id, document } of yield* reader.reusableContents) {
    documents.set(`reusable-content/${id}`, { document: yield* storedAt(reader, document), beside: [] })
  }
  const included = (source: string): ReadonlyArray<string> =>
    (documents.get(source)?.document.nodes ?? []).flatMap(({ type, data }) => {
      const ref = data?.ref as ContentRef | undefined
      return type === "reusable-content" && ref?.kind === "reusable-content"
        ? `reusable-content/${ref.reusableContent}`
        : []
    })
  const headings = (source: string, seen: Set<string>): ReadonlyArray<string> => {
    const found = documents.get(source)
    if (found === undefined || seen.has(source)) return []
    seen.add(source)
    const own = DocumentText.headings(found.document).map(({ id }) => id)
    return [...own, ...included(source).flatMap((other) => headings(other, seen))]
  }
  const statusOf = (ref: ContentRef, source: string): string => {
    const found = (is: boolean) => (is ? "ok" : "broken")
    switch (ref.kind) {
      case "page":
        return found(documents.has(ref.page))
      case "anchor":
        return found(headings(ref.page ?? source, new Set()).includes(ref.anchor))
      case "file":
        return found(fileIds.has(ref.file))
      case "reusable-content":
        return found(documents.has(`reusable-content/${ref.reusableContent}`))
      default: {
        const url = "url" in ref ? ref.url : ""
        return url.startsWith("https://app.") ? "in-app" : /^(https|mailto):/.test(url) ? "ok" : "broken"
      }
    }
  }
  const fileIds = new Set<string>((yield* reader.files).map(({ id }) => id))
  const all = new Map<string, Set<string>>()
  for (const [source, { document, beside }] of documents) {
    for (const ref of [...beside, ...DocumentRefs.refs(document)]) {
      const { space: _, ...own } = ref as { readonly space?: string }
      const url = RefUrl.toUrl(own as ContentRef)
      const whole = !url.startsWith("#")
        ? url
        : source.startsWith("reusable-content/")
          ? `/reusable-contents/${source.slice("reusable-content/".length)}${url}`
          : `/pages/${source}${url}`
      const key = `${statusOf(ref, source)} ${whole}`
      all.set(key, (all.get(key) ?? new Set()).add(source))
    }
  }
  return sorted(all)
})

const sorted = (all: ReadonlyMap<string, Iterable<string>>) =>
  [...all].map(([key, sources]) => `${key} <- ${[...new Set(sources)].sort().join(" ")}`).sort()

const found = Effect.fnUntraced(function* (draft: ObjectDraft, content: Content.Content) {
  const targets = yield* LinkIndex.targetsOf(draft, content, space, addresses)
  const all = new Map<string, Array<string>>()
  for (const { key, state, locations } of targets) {
    const name = `${state} ${key.slice(0, key.lastIndexOf(" "))}`
    all.set(name, [...(all.get(name) ?? []), ...locations.map(({ source }) => source)])
  }
  return { all: sorted(all), targets }
})

const law = (
  name: string,
  check: (draft: ObjectDraft, sides: ReadonlyArray<Content.Content>) => Effect.Effect<void, unknown>
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const objects = yield* Objects
      const context = yield* Effect.context<Objects>()
      const some = fc.array(edit, { minLength: 1, maxLength: 40 })
      const property = fc.asyncProperty(some, some, some, (start, left, right) =>
        Effect.gen(function* () {
          const draft = objects.draft()
          const base = yield* apply(draft, Content.empty, start)
          yield* check(draft, [base, yield* apply(draft, base, left), yield* apply(draft, base, right)])
        }).pipe(Effect.runPromiseWith(context))
      )
      yield* Effect.promise(() => fc.assert(property, runs(150)))
    }).pipe(Effect.provide(layer()))
  )

describe("LinkIndex laws", () => {
  law("its targets, their states and locations are those of the documents", (draft, sides) =>
    Effect.gen(function* () {
      for (const content of sides) {
        assert.deepStrictEqual((yield* found(draft, content)).all, yield* model(draft, content))
      }
    })
  )

  law("a merge knows the links of what it made", (draft, [base, one, two]) =>
    Effect.gen(function* () {
      const { content } = yield* ContentMerge.merge(draft, { base: base!, main: one!, ours: two! })
      assert.deepStrictEqual((yield* found(draft, content)).all, yield* model(draft, content))
    })
  )

  law("what is kept is what the documents say, also of a content from before it was kept", (draft, sides) =>
    Effect.gen(function* () {
      for (const content of sides) {
        const { links: _, ...before } = content
        const kept = yield* LinkMap.allLinks(draft, content)
        const read = yield* LinkMap.allLinks(draft, before)
        for (const [source, links] of kept) assert.deepStrictEqual(links, read.get(source), source)
        for (const [source, { anchors, links }] of read) {
          if (!kept.has(source)) assert.deepStrictEqual([anchors, links], [[], []])
        }
        // Its next edit keeps them, whatever it edits.
        const editor = ContentEditor.make(draft, before, Timestamps.at(0))
        yield* editor.setVariable("x", 1)
        const after = yield* editor.finish
        assert.deepStrictEqual(yield* LinkMap.allLinks(draft, after), kept)
      }
    })
  )

  law("the links of a page are those of the space that stand on it", (draft, [content]) =>
    Effect.gen(function* () {
      const { targets } = yield* found(draft, content!)
      for (const page of pages) {
        const own = yield* LinkIndex.targetsOf(draft, content!, space, addresses, [page])
        const expected = targets.flatMap(({ locations, ...target }) =>
          locations.some(({ source }) => source === page)
            ? [{ ...target, locations: locations.filter(({ source }) => source === page) }]
            : []
        )
        assert.deepStrictEqual(own, expected)
      }
    })
  )
})
