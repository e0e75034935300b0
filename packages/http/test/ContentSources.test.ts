/**
 * Pages that integrations answer: where they are seen, when a program is asked and when not, and that
 * one that fails, or answers what can't be used, harms nothing but its own pages.
 */
import { Ids } from "@lectern/core/identity/Ids"
import { IntegrationRecords } from "@lectern/core/integration/IntegrationRecords"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { PdfWriter } from "@lectern/core/pdf/PdfWriter"
import { assert } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter, onMemory, type Person, refused } from "./Harness.ts"
import { install, installed, program, publishIntegration } from "./IntegrationSteps.ts"
import { createSpec, processed } from "./OpenApiSteps.ts"
import * as Shapes from "./IntegrationShapes.ts"
import { createSite, json, publishSite, reading, resolve } from "./SiteSteps.ts"
import { createSpace, getSpace, insertPage, openChangeRequest, publish, write } from "./Steps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

/** Answers of the programs of these tests, by the key in their script. */
const programs = new Map<string, (event: any) => unknown>()
Object.assign(globalThis, { contentSourcePrograms: programs })

const sources = [{ id: "issues", title: "Issues", configuration: { componentId: "configure" } }]

const answering = (key: string) =>
  program(`
    const answer = await globalThis.contentSourcePrograms.get(${JSON.stringify(key)})(event)
    return answer instanceof Response ? answer : Response.json(answer)`)

const doc = (name: string, props: object) => ({ type: `integration:${name}:issues`, props })

/** An installed integration with a content source, and a space with a page that stands for what it answers. */
const makeSource = Effect.fnUntraced(function* (
  answer: (event: any, name: string) => unknown,
  more: { readonly computed?: object; readonly manifest?: Record<string, unknown> } = {}
) {
  const key = yield* (yield* Ids).next
  const asked: Array<any> = []
  const { name, id, path } = yield* installed({
    contentSources: sources,
    script: answering(key),
    ...more.manifest
  })
  const answering_ = (event: any) => {
    if (!event.type.startsWith("content_compute_")) return new Response(null, { status: 406 })
    asked.push(event)
    return answer(event, name)
  }
  programs.set(key, answering_)
  const { id: space } = yield* createSpace({ title: "Docs" })
  const { idOf } = yield* publish(space, [
    insertPage("Before"),
    {
      operation: "insert_page",
      type: "computed",
      title: "Issues",
      ref: "Issues",
      computed: { ...doc(name, { repository: "one" }), ...more.computed }
    },
    insertPage("After", "Written by hand")
  ])
  return {
    name,
    installation: id,
    path,
    space,
    issues: idOf("Issues"),
    after: idOf("After"),
    asked,
    answers: (next: (event: any) => unknown) =>
      programs.set(key, (event) => {
        asked.push(event)
        return next(event)
      })
  }
})

const get = Effect.fnUntraced(function* (path: string, by: Person = "read") {
  const { call } = yield* Harness
  return yield* call(by, "GET", `/v1/spaces/${path}`).pipe(json(200))
})
const treeOf = (path: string, by?: Person) => Effect.map(get(path, by), ({ pages }) => pages as ReadonlyArray<any>)

const titles = (pages: ReadonlyArray<any> = []): ReadonlyArray<unknown> =>
  pages.map(({ title, pages }) => (pages === undefined || pages.length === 0 ? title : [title, titles(pages)]))

/** Two pages below a group, a link, and a text for each page. */
const issues = (event: any, name: string) =>
  event.type === "content_compute_revision"
    ? {
        pages: [
          {
            type: "group",
            title: "Open",
            pages: [
              {
                type: "document",
                id: "first",
                title: "First",
                icon: "bug",
                description: "The first one",
                computed: doc(name, { issue: 1 })
              },
              { type: "document", title: "First", slug: "first", computed: doc(name, { issue: 2 }) }
            ]
          },
          { type: "link", title: "All", target: { kind: "page", page: "first" } },
          { type: "document", title: "Plain" }
        ],
        files: [
          { id: "pic", name: "a.png", contentType: "image/png", downloadURL: "https://example.com/a.png", size: 3 }
        ]
      }
    : {
        document: {
          markdown: `# Heading\n\nIssue ${event.props.issue}, see [the first](/pages/first#heading).\n\n![A picture](/files/pic)\n`
        }
      }

const events = Effect.fnUntraced(function* (name: string) {
  yield* (yield* IntegrationRecords).flush.pipe(Effect.orDie)
  const { call } = yield* Harness
  const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=100`).pipe(json(200))
  return (items as ReadonlyArray<any>).filter(({ payload }) => payload.type.startsWith("content_compute_"))
})

/** PDFs that are the JSON of what they are made of. */
const pdfWriter = Layer.succeed(
  PdfWriter,
  PdfWriter.of({
    write: ({ pages, document }) =>
      Effect.map(
        Effect.forEach(pages, ({ id }) => document(id)),
        (documents) => new TextEncoder().encode(JSON.stringify(documents))
      )
  })
)

const options = { integrationRuntime: UnsafeRuntime.layer, pdfWriter }

onEachAdapter(
  "Content sources",
  (it) => {
    it.effect("give the pages below the page that stands for them, and their texts, asked once", () =>
      Effect.gen(function* () {
        const { space, name, issues: standing, asked, installation } = yield* makeSource(issues)
        const pages = yield* treeOf(`${space}/content/pages`)
        assert.deepStrictEqual(titles(pages), [
          "Before",
          ["Issues", [["Open", ["First", "First"]], "All", "Plain"]],
          "After"
        ])
        assert.deepStrictEqual(yield* treeOf(`${space}/content`), pages)
        const [, at] = pages
        assert.deepInclude(at, { id: standing, type: "document", path: "issues" })
        const [open, all, plain] = at.pages
        assert.deepInclude(open, { type: "document", path: "issues/open" })
        const [first, second] = open.pages
        assert.deepInclude(first, {
          path: "issues/open/first",
          icon: "bug",
          description: "The first one",
          computed: doc(name, { issue: 1 })
        })
        assert.strictEqual(second.path, "issues/open/first-1")
        assert.deepStrictEqual(all.target, { kind: "page", page: first.id })

        const { markdown } = yield* get(`${space}/content/page/${second.id}`)
        assert.include(markdown, "Issue 2")
        assert.include(markdown, `/pages/${first.id}#heading`)
        assert.include(markdown, "https://example.com/a.png")
        const { document } = yield* get(`${space}/content/page/${second.id}?format=document`)
        assert.strictEqual(document.nodes[0].type, "heading-1")
        assert.strictEqual((yield* get(`${space}/content/page/${plain.id}`)).markdown, "# Plain\n")
        const list = yield* get(`${space}/content/page/${standing}`)
        for (const said of ["Open", "All", "Plain"]) assert.include(list.markdown, `[${said}](`)
        assert.strictEqual((yield* get(`${space}/content/path/issues%2Fopen%2Ffirst`)).id, first.id)

        const { items } = yield* get(`${space}/content/files`)
        const { id: picture, ...file } = items[0]
        const url = "https://example.com/a.png"
        assert.deepStrictEqual(file, {
          object: "file",
          name: "a.png",
          contentType: "image/png",
          downloadURL: url,
          size: 3
        })
        assert.deepStrictEqual((yield* get(`${space}/content`)).files, items)
        assert.deepStrictEqual(yield* get(`${space}/content/files/${picture}`), items[0])
        assert.deepStrictEqual((yield* get(`${space}/content/files?computed=false`)).items, [])

        assert.lengthOf(asked, 3)
        const { eventId: _, ...revision } = asked[0]
        assert.deepStrictEqual(revision, {
          type: "content_compute_revision",
          installationId: installation,
          spaceId: space,
          sourceId: "issues",
          props: { repository: "one" },
          dependencies: {}
        })
        assert.deepInclude(asked[1], { type: "content_compute_document", props: { issue: 2 } })
        assert.deepStrictEqual((yield* events(name)).map(({ payload, status }) => [payload.type, status]).sort(), [
          ["content_compute_document", "success"],
          ["content_compute_document", "success"],
          ["content_compute_revision", "success"]
        ])
      })
    )

    it.effect("are asked once by many at a time, and not at all by who wants nothing computed", () =>
      Effect.gen(function* () {
        const { space, issues: standing, asked } = yield* makeSource(issues)
        const [, page] = yield* treeOf(`${space}/content/pages?computed=false`)
        assert.deepInclude(page, { id: standing, type: "computed" })
        assert.notProperty(page, "pages")
        yield* getSpace(space)
        assert.lengthOf(asked, 0)
        yield* Effect.all(
          Array.from({ length: 6 }, () => treeOf(`${space}/content/pages`)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(asked, 1)
      })
    )

    it.effect("are asked anew for another version, configuration or dependency, and for nothing else", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id: followed } = yield* createSpace({ title: "Followed" })
        const spec = yield* createSpec("followed", "{}")
        const dependencies = {
          other: { ref: { kind: "space", space: followed } },
          spec: { ref: { kind: "openapi", spec: "followed" } },
          none: { ref: { kind: "translation", translation: "none" } }
        }
        const made = yield* makeSource(issues, { computed: { dependencies } })
        const { space, asked, name, path } = made
        const read = treeOf(`${space}/content/pages`)
        yield* read
        const { revision } = yield* getSpace(followed)
        assert.deepStrictEqual(asked[0].dependencies, {
          other: { ref: dependencies.other.ref, value: { object: "space", id: followed, revision } },
          spec: { ref: dependencies.spec.ref, value: { object: "openapi-spec", id: spec.id, slug: "followed" } },
          none: { ref: dependencies.none.ref, value: null }
        })
        yield* publish(space, [insertPage("Another")])
        yield* read
        assert.lengthOf(asked, 1)
        yield* publish(followed, [insertPage("Another")])
        yield* read
        assert.lengthOf(asked, 2)
        const before = (yield* treeOf(`${space}/content/pages`))[1].pages[0].pages[0].id
        yield* TestClock.adjust("1 second")
        yield* call("admin", "PATCH", path, { configuration: {} }).pipe(answers(200, Shapes.Installation))
        yield* read
        assert.lengthOf(asked, 3)
        yield* publishIntegration(name, { contentSources: sources, script: `${"//"}new\n` + answering("new") })
        programs.set("new", (event) => {
          asked.push(event)
          return issues(event, name)
        })
        yield* read
        assert.lengthOf(asked, 4)
        assert.strictEqual((yield* treeOf(`${space}/content/pages`))[1].pages[0].pages[0].id, before)
        yield* processed(spec.id)
      })
    )
  },
  options
)

onMemory(
  "Content sources that fail",
  (it) => {
    it.effect("leave the last answer that could be used, are recorded, and are asked again after a while", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, name, path, asked, answers: answer } = yield* makeSource(issues)
        const before = titles(yield* treeOf(`${space}/content/pages`))
        const refresh = Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          yield* call("admin", "PATCH", path, { configuration: {} }).pipe(has(200))
        })
        for (const wrong of [
          () => new Response("no", { status: 500 }),
          () => new Response("<html>"),
          () => ({ pages: "none" }),
          () => ({ pages: [{ type: "document", title: "" }] }),
          () => ({ pages: [{ type: "link", title: "x", target: { kind: "other" } }] }),
          () => ({ pages: [{ type: "document", title: "x", computed: doc("a", {}), slug: "a/b" }] }),
          () => ({ pages: Array.from({ length: 1_001 }, () => ({ type: "document", title: "x" })) }),
          () => ({ pages: JSON.parse(`${'[{"type":"document","title":"x","pages":'.repeat(12)}[]${"}]".repeat(12)}`) }),
          () => new Response(`{"pages":${"[".repeat(1000)}${"]".repeat(1000)}}`),
          () => ({ files: [{ name: "x", contentType: "x", downloadURL: "javascript:alert(1)", size: 1 }] }),
          () => new Response(JSON.stringify({ pages: [{ type: "document", title: "x".repeat(2 ** 21) }] })),
          () => Promise.reject(new Error("unreachable"))
        ]) {
          answer(wrong)
          yield* refresh
          const count = asked.length
          assert.deepStrictEqual(titles(yield* treeOf(`${space}/content/pages`)), before)
          assert.lengthOf(asked, count + 1)
          yield* treeOf(`${space}/content/pages`)
          assert.lengthOf(asked, count + 1, "It is asked again at once")
          const [newest] = yield* events(name)
          assert.strictEqual(newest.status, "failed")
          const traced = yield* call("admin", "GET", `/v1/integrations/${name}/events/${newest.id}`).pipe(json(200))
          assert.strictEqual(traced.trace.logs.at(-1).level, "error")
        }
        answer(() => ({ pages: [{ type: "document", title: "Better" }] }))
        yield* TestClock.adjust("31 seconds")
        assert.deepStrictEqual(titles(yield* treeOf(`${space}/content/pages`)), [
          "Before",
          ["Issues", ["Better"]],
          "After"
        ])
      })
    )

    it.effect("leave the other pages of the space as they are, where nothing was ever answered", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, issues: standing, after, path } = yield* makeSource(() => new Response(null, { status: 500 }))
        assert.deepStrictEqual(titles(yield* treeOf(`${space}/content/pages`)), ["Before", "Issues", "After"])
        assert.include((yield* get(`${space}/content/page/${after}`)).markdown, "by hand")
        assert.include((yield* get(`${space}/content/page/${standing}`)).markdown, "has not answered")
        assert.lengthOf((yield* get(`${space}/search?query=hand`)).items, 1)
        yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
        assert.include((yield* get(`${space}/content/page/${standing}`)).markdown, "not at work here")
      })
    )

    it.effect("keep nobody waiting for longer than some seconds, and are shown once they have answered", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, path, asked, answers: answer } = yield* makeSource(issues)
        const before = titles(yield* treeOf(`${space}/content/pages`))
        let respond: (answer: object) => void = () => {}
        const never = new Promise((resolve) => (respond = resolve))
        answer(() => never)
        yield* TestClock.adjust("1 second")
        yield* call("admin", "PATCH", path, { configuration: {} }).pipe(has(200))
        const count = asked.length
        const readers = yield* Effect.forkChild(
          Effect.all([treeOf(`${space}/content/pages`), treeOf(`${space}/content/pages`)], { concurrency: "unbounded" })
        )
        while (asked.length === count) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* TestClock.adjust("3 seconds")
        for (const pages of yield* Fiber.join(readers)) assert.deepStrictEqual(titles(pages), before)
        assert.lengthOf(asked, count + 1)
        const late = yield* Effect.forkChild(treeOf(`${space}/content/pages`))
        respond({ pages: [{ type: "document", title: "Late" }] })
        assert.deepStrictEqual(titles(yield* Fiber.join(late)), ["Before", ["Issues", ["Late"]], "After"])
        assert.lengthOf(asked, count + 1)
      })
    )

    it.effect("show a text that could not be had as soon as it can, to who holds the page too", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        let fails = true
        const { space } = yield* makeSource((event, name) =>
          event.type === "content_compute_document" && fails ? { document: { markdown: 1 } } : issues(event, name)
        )
        const [first] = (yield* treeOf(`${space}/content/pages`))[1].pages[0].pages
        const path = `/v1/spaces/${space}/content/page/${first.id}`
        const held = yield* call("read", "GET", path).pipe(has(200))
        assert.include(held.text, "has not answered")
        const tag = { "if-none-match": held.headers.get("etag")! }
        yield* call("read", "GET", path, undefined, tag).pipe(has(304))
        fails = false
        yield* TestClock.adjust("31 seconds")
        const better = yield* call("read", "GET", path, undefined, tag).pipe(has(200))
        assert.include(better.text, "Issue 1")
        yield* call("read", "GET", path, undefined, { "if-none-match": better.headers.get("etag")! }).pipe(has(304))
        yield* call("read", "GET", path, undefined, { "if-none-match": "*" }).pipe(has(304))
      })
    )
  },
  options
)

onMemory(
  "Pages of content sources",
  (it) => {
    it.effect("are there while the integration is at work on the space, and has such a source", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, path, name, asked } = yield* makeSource(issues, { manifest: { target: "space" } })
        const shown = treeOf(`${space}/content/pages`)
        assert.deepStrictEqual(titles(yield* shown), ["Before", "Issues", "After"])
        assert.lengthOf(asked, 0)
        yield* call("admin", "POST", `${path}/spaces`, { space }).pipe(has(201))
        assert.notDeepEqual(titles(yield* shown), ["Before", "Issues", "After"])
        for (const status of ["paused", "active"]) {
          yield* call("admin", "PATCH", path, { status }).pipe(has(200))
          assert.strictEqual((yield* shown)[1].pages.length > 0, status === "active")
        }
        yield* publishIntegration(name, { target: "space", contentSources: [{ ...sources[0], id: "other" }] })
        assert.deepStrictEqual(titles(yield* shown), ["Before", "Issues", "After"])
        yield* call("admin", "DELETE", `/v1/integrations/${name}`).pipe(has(204))
        assert.deepStrictEqual(titles(yield* shown), ["Before", "Issues", "After"])
      })
    )

    it.effect(
      "are found, commented on and reached on a site, whose visitors are not told what the source is told",
      () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const { space, after } = yield* makeSource(issues)
          const first = (yield* treeOf(`${space}/content/pages`))[1].pages[0].pages[0]
          assert.deepStrictEqual(
            (yield* get(`${space}/search?query=first`)).items.map(({ path }: any) => path),
            ["issues/open/first", "issues/open/first-1"]
          )
          const best = Effect.map(get(`${space}/search?query=issue%201`), ({ items }) => items[0].path)
          assert.strictEqual(yield* best, "issues")
          yield* get(`${space}/content/page/${first.id}`)
          assert.strictEqual(yield* best, "issues/open/first")
          const posted = { page: first.id, body: { markdown: "Really?" } }
          const { target } = yield* call("comment", "POST", `/v1/spaces/${space}/comments`, posted).pipe(json(200))
          assert.deepInclude(target.page, { id: first.id, outdated: false })
          yield* publish(space, [
            { operation: "update_page", page: after, document: { markdown: `[One](/pages/${first.id})` } }
          ])
          const links = yield* get(`${space}/content/page/${after}/links`)
          assert.include(JSON.stringify(links.items[0]), first.id)

          const { id } = yield* createSite([space])
          const { basename } = yield* publishSite(id)
          const place = yield* resolve(`http://127.0.0.1:4000/sites/${basename}/issues/open/first`)
          assert.strictEqual(place.page, first.id)
          const seen = yield* reading(place.apiToken, `/spaces/${space}/content/page/${first.id}`).pipe(has(200))
          assert.include(seen.text, "Issue 1")
          assert.deepStrictEqual(JSON.parse(seen.text).computed.props, {})
          const tree = yield* reading(place.apiToken, `/spaces/${space}/content/pages?computed=false`).pipe(has(200))
          assert.notInclude(tree.text, "repository")
        })
    )

    it.effect("answer one source alone: to readers those that the content tells them of, to editors any other", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, name, issues: standing, asked } = yield* makeSource(issues)
        const compute = (what: "revision" | "document", by: Person | { readonly token: string }, body: unknown) =>
          call(by, "POST", `/v1/spaces/${space}/content/computed/${what}`, body)
        const [, at] = yield* treeOf(`${space}/content/pages?computed=false`)
        const [, built] = yield* treeOf(`${space}/content/pages`)
        const first = built.pages[0].pages[0]
        const { files } = yield* get(`${space}/content`)
        const told = { source: at.computed, seed: standing }
        assert.deepStrictEqual(yield* compute("revision", "read", told).pipe(json(200)), {
          pages: built.pages,
          files,
          reusableContents: []
        })
        const text = { source: first.computed, seed: first.computedSeed }
        const document = yield* compute("document", "read", text).pipe(json(200))
        assert.deepStrictEqual(document, yield* get(`${space}/content/page/${first.id}/document`))

        const { id } = yield* createSite([space])
        const { basename } = yield* publishSite(id)
        const { apiToken } = yield* resolve(`http://127.0.0.1:4000/sites/${basename}/issues/open/first`)
        const page = yield* reading(apiToken, `/spaces/${space}/content/page/${first.id}`).pipe(json(200))
        const seen = { source: page.computed, seed: page.computedSeed }
        assert.include((yield* compute("document", { token: apiToken }, seen).pipe(has(200))).text, "Issue 1")

        const others = [
          { source: doc(name, { issue: 7 }), seed: first.computedSeed },
          { source: first.computed, seed: "another" }
        ]
        const before = asked.length
        for (const other of others) {
          for (const what of ["revision", "document"] as const) {
            yield* compute(what, "read", other).pipe(refused(403))
            yield* compute(what, { token: apiToken }, other).pipe(refused(404))
          }
        }
        assert.lengthOf(asked, before)
        assert.include((yield* compute("document", "edit", others[0]).pipe(has(200))).text, "Issue 7")
        const elsewhere = yield* compute("revision", "edit", { ...told, seed: "a seed/" }).pipe(json(200))
        assert.deepStrictEqual(titles(elsewhere.pages), [["Open", ["First", "First"]], "All", "Plain"])
        assert.strictEqual(elsewhere.pages[0].pages[0].path, "open/first")
        assert.lengthOf(elsewhere.files, 1)
        const unknown = { source: doc("nobody", {}), seed: "x" }
        assert.deepStrictEqual((yield* compute("revision", "edit", unknown).pipe(json(200))).pages, [])
        assert.include((yield* compute("document", "edit", unknown).pipe(has(200))).text, "not at work here")
        for (const wrong of [{ source: told.source }, { ...told, seed: "" }, { ...told, source: { type: "x" } }]) {
          yield* compute("revision", "edit", wrong).pipe(refused(400))
        }
        assert.strictEqual((yield* getSpace(space)).revision, (yield* get(`${space}/content`)).id)
      })
    )

    it.effect("may stand for others in turn, of specs too, and a document of the space may be one alone", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const spec = yield* createSpec(
          "nested",
          JSON.stringify({
            openapi: "3.1.0",
            info: { title: "Zoo", version: "1" },
            paths: { "/a": { get: { tags: ["animals"], summary: "List" } } }
          })
        )
        yield* processed(spec.id)
        const builtin = {
          type: "builtin:openapi",
          dependencies: { spec: { ref: { kind: "openapi", spec: "nested" } } }
        }
        const { space, name } = yield* makeSource((event, name) => {
          if (event.type === "content_compute_document") return { document: { document: { nodes: [] } } }
          const { depth = 0 } = event.props
          return {
            pages: [
              { type: "computed", title: `Deeper ${depth}`, computed: doc(name, { depth: depth + 1 }) },
              ...(depth === 0
                ? [{ type: "computed", title: "API", computed: { ...builtin, props: { models: false } } }]
                : [])
            ]
          }
        })
        const pages = yield* treeOf(`${space}/content/pages`)
        assert.deepStrictEqual(titles([pages[1]]), [
          [
            "Issues",
            [
              ["Deeper 0", [["Deeper 1", ["Deeper 2"]]]],
              ["API", ["animals"]]
            ]
          ]
        ])
        const [animals] = pages[1].pages[1].pages
        assert.include((yield* get(`${space}/content/page/${animals.id}`)).markdown, "List")
        const { id } = yield* openChangeRequest(space)
        const { idOf } = yield* write(space, id, [
          { operation: "insert_page", title: "Alone", ref: "p", computed: doc(name, { alone: true }) }
        ])
        const page = yield* get(`${space}/change-requests/${id}/content/page/${idOf("p")}`)
        assert.deepStrictEqual([page.markdown, page.computed], ["# Alone\n", doc(name, { alone: true })])
        for (const computed of [
          { type: "integration:one", props: {} },
          { type: `integration:${name}:issues` },
          { ...doc(name, {}), props: { text: "x".repeat(20_000) } },
          { ...doc(name, {}), dependencies: { a: { ref: { kind: "page", page: "x" } } } }
        ]) {
          const wrong = { changes: [{ operation: "insert_page", title: "Wrong", computed }] }
          yield* call("admin", "POST", `/v1/spaces/${space}/change-requests/${id}/content`, wrong).pipe(refused(400))
        }
      })
    )

    it.effect("are in PDFs with their texts", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, issues: standing } = yield* makeSource(issues)
        const { url } = yield* get(`${space}/pdf?page=${standing}`)
        yield* JobWorker.use(({ runDue }) => runDue)
        const { text } = yield* call("nobody", "GET", url).pipe(has(200))
        for (const said of ["Issue 1", "Issue 2"]) assert.include(text, said)
      })
    )

    it.effect("are configured by who edits the space, once the integration is at work there", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const { space, name, path, answers: answer } = yield* makeSource(issues)
        answer(({ type, spaceId, context }) =>
          type === "ui_render"
            ? {
                type: "element",
                state: {},
                props: {},
                element: { type: "configuration", children: [], spaceId, context }
              }
            : {}
        )
        const render = (by: Person, context: Record<string, unknown>) =>
          call(by, "POST", `/v1/integrations/${name}/render`, {
            componentId: "configure",
            props: { contentSource: { props: {} } },
            context: { type: "configuration_contentsource", organizationId: organization, ...context }
          })
        const { element } = yield* render("edit", { spaceId: space }).pipe(json(200))
        assert.deepInclude(element, { spaceId: space })
        assert.deepInclude(element.context, { type: "configuration_contentsource", spaceId: space })
        yield* render("comment", { spaceId: space }).pipe(refused(403))
        yield* render("outsider", { spaceId: space }).pipe(refused(404))
        yield* render("edit", { spaceId: space, organizationId: "other" }).pipe(refused(404))
        yield* render("edit", {}).pipe(refused(403))
        const everywhere = yield* render("admin", {}).pipe(json(200))
        assert.notProperty(everywhere.element, "spaceId")
        yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
        yield* render("edit", { spaceId: space }).pipe(refused(404))
      })
    )

    it.effect("of an organization are those of its own installation", () =>
      Effect.gen(function* () {
        const { call, elsewhere } = yield* Harness
        const { name, asked } = yield* makeSource(issues)
        yield* install(name, "outsider")
        const { id: space } = yield* call("outsider", "POST", `/v1/orgs/${elsewhere}/spaces`, {}).pipe(json(201))
        const { id } = yield* call("outsider", "POST", `/v1/spaces/${space}/change-requests`, {}).pipe(json(201))
        yield* call("outsider", "POST", `/v1/spaces/${space}/change-requests/${id}/content`, {
          changes: [{ operation: "insert_page", type: "computed", title: "Issues", computed: doc(name, {}) }]
        }).pipe(has(200))
        const path = `/v1/spaces/${space}/change-requests/${id}/content/pages`
        const { pages } = yield* call("outsider", "GET", path).pipe(json(200))
        assert.lengthOf(pages[0].pages, 3)
        assert.strictEqual(asked[0].spaceId, space)
      })
    )
  },
  options
)
