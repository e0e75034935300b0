/** A visitor reaches what the documents of its pages show it, however their links are kept. */
import { serialize } from "@lectern/core/content/documents/StoredDocument"
import * as Content from "@lectern/core/content/Content"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import type { Block, Document } from "@lectern/document/Document"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { type ObjectDraft, Objects } from "@lectern/core/content/store/Objects"
import * as LinkMap from "@lectern/core/content/pages/LinkMap"
import * as TrieUpdate from "@lectern/core/content/store/TrieUpdate"
import * as VisibleReferences from "@lectern/core/content/VisibleReferences"
import { evaluate } from "@lectern/document/DocumentEvaluation"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as MemoryObjects from "./store/MemoryObjects.ts"
import { runs } from "../Runs.ts"

const files = ["f0", "f1", "f2", "f3"]
const reusable = ["r0", "r1", "r2"]
const conditions = ["visitor.claims.a", "!visitor.claims.a", "page.vars.told", "space.vars.beta", "(", "true"]

let last = 0
const block = (type: string, rest: object): Block => ({ object: "block", type, key: `b${++last}`, ...rest }) as Block

const expressions = [
  "space.vars.beta",
  "page.vars.told",
  'visitor.claims.a == space.vars["x.y"]',
  "!page.vars.x",
  "space."
]

const leaves = fc.oneof(
  fc
    .constantFrom(...expressions)
    .map((expression) =>
      block("paragraph", { nodes: [{ object: "inline", type: "expression", data: { expression }, isVoid: true }] })
    ),
  fc.constantFrom(...files).map((file) => block("image", { data: { ref: { kind: "file", file } } })),
  fc
    .constantFrom("s0", "s1")
    .map((spec) => block("openapi-operation", { data: { ref: { kind: "openapi", spec }, path: "/", method: "get" } })),
  fc.constantFrom("u0", "u1").map((user) =>
    block("paragraph", {
      nodes: [{ object: "inline", type: "mention", data: { ref: { kind: "user", user } }, isVoid: true }]
    })
  ),
  fc
    .constantFrom(...reusable)
    .map((id) => block("reusable-content", { data: { ref: { kind: "reusable-content", reusableContent: id } } })),
  fc.constantFrom(...files).map((file) =>
    block("table", {
      data: { definition: { c: { type: "files" } }, records: { r: { orderIndex: "1", values: { c: [file] } } } }
    })
  )
)
const choices = (inside: fc.Arbitrary<Block>) =>
  fc
    .tuple(fc.constantFrom(...conditions), fc.array(inside, { maxLength: 2 }), fc.array(inside, { maxLength: 2 }))
    .map(([expression, nodes, others]) =>
      block("if", { data: { expression }, nodes, fragments: [{ object: "fragment", fragment: "else", nodes: others }] })
    )
const blocks = fc.oneof(
  leaves,
  choices(leaves),
  choices(fc.oneof(leaves, choices(leaves))),
  leaves.map((one) => block("hint", { data: { style: "info" }, nodes: [one] }))
)
const documents = fc.array(blocks, { maxLength: 3 }).map((nodes): Document => ({ object: "document", data: {}, nodes }))

const contents = fc.record({
  pages: fc.array(
    fc.record({
      document: documents,
      told: fc.option(fc.boolean(), { nil: undefined }),
      cover: fc.option(fc.constantFrom(...files), { nil: undefined }),
      hidden: fc.boolean()
    }),
    { minLength: 1, maxLength: 4 }
  ),
  reusable: fc.tuple(documents, documents, documents),
  beta: fc.boolean()
})
type Made = typeof contents extends fc.Arbitrary<infer A> ? A : never

/** By looking at every document. */
const model = ({ pages, reusable: documents, beta }: Made, claims: Readonly<Record<string, unknown>>) => {
  const found = {
    files: new Set<string>(),
    reusableContents: new Set<string>(),
    users: new Set<string>(),
    specs: new Set<string>(),
    variables: new Set<string>(),
    pageVariables: new Map<string, Set<string>>()
  }
  const look = (
    page: string,
    document: Document,
    vars: Readonly<Record<string, boolean>>,
    seen: ReadonlyArray<string>
  ) => {
    const { document: left } = evaluate(document, {
      mode: "hidden",
      space: "",
      scope: { claims, space: { beta }, page: vars },
      evaluatesClaims: true,
      includedContent: () => undefined
    })
    const text = JSON.stringify(left)
    if (text.includes("space.vars.beta")) found.variables.add("beta")
    if (text.includes("x.y")) found.variables.add("x.y")
    for (const name of ["told", "x"]) {
      if (!text.includes(`page.vars.${name}"`)) continue
      found.pageVariables.set(page, (found.pageVariables.get(page) ?? new Set()).add(name))
    }
    for (const ref of DocumentRefs.refs(left)) {
      if (ref.kind === "file") found.files.add(ref.file)
      if (ref.kind === "user") found.users.add(ref.user)
      if (ref.kind === "openapi") found.specs.add(ref.spec)
      if (ref.kind !== "reusable-content") continue
      found.reusableContents.add(ref.reusableContent)
      if (seen.includes(ref.reusableContent)) continue
      look(page, documents[reusable.indexOf(ref.reusableContent)]!, vars, [...seen, ref.reusableContent])
    }
  }
  for (const [i, { document, told, cover, hidden }] of pages.entries()) {
    if (hidden) continue
    if (cover !== undefined) found.files.add(cover)
    look(`p${i}`, document, told === undefined ? {} : { told }, [])
  }
  return found
}

const write = Effect.fnUntraced(function* (draft: ObjectDraft, { pages, reusable: documents, beta }: Made) {
  const editor = ContentEditor.make(draft, Content.empty, yield* Timestamps.now)
  for (const [i, { document, told, cover }] of pages.entries()) {
    yield* editor.insertPage({
      id: `p${i}`,
      title: `P${i}`,
      document: serialize(document),
      ...(told !== undefined && { variables: { told } }),
      ...(cover !== undefined && { cover: { ref: { kind: "file", file: cover }, yPos: 0 } })
    })
  }
  for (const [i, id] of reusable.entries()) {
    yield* editor.putReusableContent({ id, title: id, document: draft.write(documents[i]) })
  }
  yield* editor.setVariable("beta", beta)
  return yield* editor.finish
})

/** As the links were kept before they told of conditions. */
const withOldLinks = Effect.fnUntraced(function* (draft: ObjectDraft, content: Content.Content) {
  const sources = new Map<string, string>()
  for (const [source, { anchors, links, variables }] of yield* LinkMap.allLinks(draft, content)) {
    const old = links.map((link): DocumentLinks.DocumentLink => {
      const [url, node] = link
      return DocumentLinks.relationOf(link) === "dependsOn" ? [url, node, 1] : [url, node]
    })
    sources.set(
      source,
      DocumentLinks.serializeLinks({
        anchors,
        variables: variables.map((name) => `?${name.replace("?", "")}`),
        links: old
      })!
    )
  }
  return { ...content, links: yield* TrieUpdate.update(draft, null, sources) }
})

describe("VisibleReferences", () => {
  it.effect("is what the documents show, for each kind of visitor, however links are kept", () =>
    Effect.gen(function* () {
      const objects = yield* Objects
      const context = yield* Effect.context<Objects>()
      const property = fc.asyncProperty(contents, (made) =>
        Effect.gen(function* () {
          const draft = objects.draft()
          const content = yield* write(draft, made)
          const { links: _, ...unlinked } = content
          const kept = [content, yield* withOldLinks(draft, content), unlinked]
          yield* draft.flush
          const pages = new Set(made.pages.flatMap(({ hidden }, i) => (hidden ? `p${i}` : [])))
          for (const one of kept) {
            const reachOf = VisibleReferences.make(objects)
            for (const claims of [{}, { a: true }, {}]) {
              const visitor = { claims, kind: JSON.stringify(claims) }
              const { readsClaims: _, ...reach } = yield* reachOf(one, visitor, { key: "hidden", pages })
              assert.deepStrictEqual(reach as object, model(made, claims))
            }
          }
        }).pipe(Effect.orDie, Effect.runPromiseWith(context))
      )
      yield* Effect.promise(() => fc.assert(property, runs(150)))
    }).pipe(Effect.provide(MemoryObjects.layer()))
  )

  it.effect("reads a document only where a condition decides about what it refers to", () => {
    const store = MemoryObjects.emptyStore()
    return Effect.gen(function* () {
      const objects = yield* Objects
      const draft = objects.draft()
      const image = (file: string) => block("image", { data: { ref: { kind: "file", file } } })
      const paid = block("if", { data: { expression: "visitor.claims.a" }, nodes: [image("f1")] })
      const text = (...nodes: ReadonlyArray<Block>): Document => ({ object: "document", data: {}, nodes })
      const editor = ContentEditor.make(draft, Content.empty, yield* Timestamps.now)
      for (let i = 0; i < 50; i++) {
        yield* editor.insertPage({ id: `p${i}`, title: `P${i}`, document: serialize(text(image("f0"))) })
      }
      yield* editor.insertPage({ id: "both", title: "Both", document: serialize(text(paid, image("f1"))) })
      const open = yield* editor.finish
      yield* editor.insertPage({ id: "paid", title: "Paid", document: serialize(text(paid)) })
      const content = yield* editor.finish
      yield* draft.flush
      const documents = new Set(
        (yield* ContentReader.make(objects, content).allPages).flatMap(({ document }) => document ?? [])
      )
      const reachOf = VisibleReferences.make({
        ...objects,
        documents: (hashes) =>
          Effect.andThen(
            Effect.sync(() => {
              for (const hash of hashes) if (documents.has(hash)) read++
            }),
            objects.documents(hashes)
          )
      })
      let read = 0
      const hidden = { key: "", pages: new Set<string>() }
      assert.deepStrictEqual((yield* reachOf(open, { claims: {}, kind: "none" }, hidden)).files, new Set(["f0", "f1"]))
      assert.strictEqual(read, 0)
      yield* reachOf(content, { claims: {}, kind: "none" }, hidden)
      yield* reachOf(content, { claims: {}, kind: "none" }, hidden)
      assert.strictEqual(read, 1)
    }).pipe(Effect.provide(MemoryObjects.layer(store)))
  })
})
