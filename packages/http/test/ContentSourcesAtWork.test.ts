/** Pages that integrations answer: where they are seen, by whom, in what else, and who may configure their sources. */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has, onMemory, type Person, refused } from "./Harness.ts"
import { install, publishIntegration } from "./IntegrationSteps.ts"
import { createSpec, processed } from "./OpenApiSteps.ts"
import { createSite, json, publishSite, reading, resolve } from "./SiteSteps.ts"
import { getSpace, openChangeRequest, publish, write } from "./Steps.ts"
import { sources, doc, makeSource, get, treeOf, titles, issues, options } from "./ContentSourceSteps.ts"

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
        assert.include((yield* compute("document", "edit", unknown).pipe(has(200))).text, "not active in this space")
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
