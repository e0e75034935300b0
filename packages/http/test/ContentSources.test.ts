/**
 * Pages that integrations answer: when a program is asked and when not, and that one that fails, or answers what
 * can't be used, harms nothing but its own pages.
 */
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter, onMemory } from "./Harness.ts"
import { publishIntegration } from "./IntegrationSteps.ts"
import { createSpec, processed } from "./OpenApiSteps.ts"
import * as Shapes from "./IntegrationShapes.ts"
import { json } from "./SiteSteps.ts"
import { createSpace, getSpace, insertPage, publish } from "./Steps.ts"
import {
  programs,
  sources,
  answering,
  doc,
  makeSource,
  get,
  treeOf,
  titles,
  issues,
  events,
  options
} from "./ContentSourceSteps.ts"

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

    it.effect("may name pages for navigation and leave slugs to titles, which are cut to fit", () =>
      Effect.gen(function* () {
        const long = "\u{1f600}".repeat(308)
        const { space, name } = yield* makeSource(() => ({
          pages: [
            {
              type: "document",
              title: "A long story",
              linkTitle: "Story",
              slug: "",
              pages: [{ type: "document", title: "Part", linkTitle: " The first\n part " }]
            },
            { type: "document", title: "A long story", linkTitle: "", slug: "" },
            {
              type: "group",
              title: "Others",
              linkTitle: "Else",
              slug: "",
              pages: [{ type: "document", title: long, slug: "long" }]
            },
            { type: "document", title: "x".repeat(308), linkTitle: "y".repeat(308), slug: "s".repeat(100) },
            {
              type: "link",
              title: "All",
              linkTitle: "All of them",
              target: { kind: "url", url: "https://example.com" }
            }
          ]
        }))
        const [, { pages }] = yield* treeOf(`${space}/content`)
        assert.deepInclude(pages[0], { title: "A long story", linkTitle: "Story", slug: "a-long-story" })
        assert.deepInclude(pages[0].pages[0], { title: "Part", linkTitle: "The first part" })
        assert.strictEqual(pages[1].path, "issues/a-long-story-1")
        assert.notProperty(pages[1], "linkTitle")
        assert.deepInclude(pages[2], { slug: "others", linkTitle: "Else" })
        assert.deepInclude(pages[2].pages[0], { title: "\u{1f600}".repeat(256), slug: "long" })
        assert.deepInclude(pages[3], { title: "x".repeat(256), linkTitle: "y".repeat(100), slug: "s".repeat(100) })
        assert.deepInclude(pages[4], { type: "link", linkTitle: "All of them" })
        assert.deepStrictEqual(
          (yield* events(name)).map(({ status }) => status),
          ["success"]
        )
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
        yield* call("admin", "PATCH", path, { configuration: { changed: true } }).pipe(
          answers(200, Shapes.Installation)
        )
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
        let changes = 0
        const refresh = Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          yield* call("admin", "PATCH", path, { configuration: { changes: ++changes } }).pipe(has(200))
        })
        for (const wrong of [
          () => new Response("no", { status: 500 }),
          () => new Response("<html>"),
          () => ({ pages: "none" }),
          () => ({ pages: [{ type: "document", title: "" }] }),
          () => ({ pages: [{ type: "document", title: "x", linkTitle: 1 }] }),
          () => ({ pages: [{ type: "document", title: "x", slug: "s".repeat(101) }] }),
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
        assert.include((yield* get(`${space}/content/page/${standing}`)).markdown, "has not responded")
        assert.lengthOf((yield* get(`${space}/search?query=hand`)).items, 1)
        yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
        assert.include((yield* get(`${space}/content/page/${standing}`)).markdown, "not active in this space")
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
        yield* call("admin", "PATCH", path, { configuration: { changed: true } }).pipe(has(200))
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

    it.effect("have a text that is Markdown, a document, or a document in itself", () =>
      Effect.gen(function* () {
        const nodes = [
          {
            object: "block",
            type: "paragraph",
            nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Said", marks: [] }] }]
          }
        ]
        const document = { object: "document", data: {}, nodes }
        for (const answer of [{ markdown: "Said" }, { document }, document]) {
          const { space } = yield* makeSource((event, name) =>
            event.type === "content_compute_document" ? { document: answer } : issues(event, name)
          )
          const [first] = (yield* treeOf(`${space}/content/pages`))[1].pages[0].pages
          assert.strictEqual((yield* get(`${space}/content/page/${first.id}`)).markdown, "# First\n\nSaid\n")
        }
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
        assert.include(held.text, "has not responded")
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
