/** Blocks of integrations in documents: code and links that they take over while they are installed, and what visitors get. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { SpaceId } from "@lectern/core/space/Space"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { IntegrationRecords } from "@lectern/core/integration/IntegrationRecords"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { belowTitle } from "../../core/test/content/BelowTitle.ts"
import { Harness, has, onMemory } from "./Harness.ts"
import { install, installed, program, publishIntegration } from "./IntegrationSteps.ts"
import { json, publishedSite, reading, resolve } from "./SiteSteps.ts"
import { createSpace, insertPage, openChangeRequest, publish, spaceWith, write } from "./Steps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

const diagram = { id: "diagram", title: "Diagram", markdown: { codeblock: "mermaid", body: "content" } }
const note = { id: "note", title: "Note", urlUnfurl: ["https://*.notes.example/n/**", "https://notes.example/"] }

/** Draws what it was given; takes links to notes by their last part. */
const script = program(`
  const { action, props } = event
  if (action?.action === "@link.unfurl" && action.url.includes("refused")) return Response.json({ error: "No" }, { status: 400 })
  if (action?.url?.includes("failing")) throw new Error("Broken")
  if (action?.url?.includes("plain")) return Response.json({ type: "element", state: { a: 1 }, props: {}, element: { type: "block", children: [] } }, { headers: { "cache-control": "max-age=60" } })
  const shown = action?.action === "@link.unfurl" ? { note: action.url.split("/").at(-1), url: action.url } : props
  return Response.json({ type: "element", state: {}, props: shown, element: { type: "block", children: [JSON.stringify(shown)] } })
`)

const drawing = installed({ target: "all", script, blocks: [diagram, note] })

const guide = [
  "# Guide",
  "",
  "```mermaid",
  "graph TD",
  "",
  "  A --> B",
  "```",
  "",
  '{% code title="Flow" lineNumbers="true" %}',
  "```Mermaid theme=\"dark\" wide='2'",
  "graph LR",
  "```",
  "{% endcode %}",
  "",
  "```js",
  "run()",
  "```",
  "",
  "* In a list",
  "",
  "  ```mermaid",
  "  pie",
  "  ```",
  "",
  '{% embed url="https://my.notes.example/n/1" %}',
  "",
  '{% embed url="https://elsewhere.example/n/1" %}',
  "",
  '{% embed url="https://my.notes.example/n/2" %}',
  "With a caption",
  "{% endembed %}",
  ""
].join("\n")

interface Block {
  readonly type: string
  readonly key: string
  readonly data?: Record<string, unknown>
  readonly nodes?: ReadonlyArray<Block>
}

const blocksOf = (nodes: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  nodes.flatMap((block) => [block, ...blocksOf((block.nodes ?? []).filter(({ type }) => type !== undefined))])

/** The blocks of a document that an integration draws, without what only says what they stand for. */
const drawnIn = ({ nodes }: { readonly nodes: ReadonlyArray<Block> }) =>
  blocksOf(nodes).flatMap(({ type, data: { origin: _, ...data } = {} }) => (type === "integration" ? [data] : []))

const document = Effect.fnUntraced(function* (content: string, page: string) {
  const { call } = yield* Harness
  const { document, markdown } = yield* call("admin", "GET", `${content}/page/${page}?format=document`).pipe(json(200))
  assert.isUndefined(markdown)
  return document as { readonly nodes: ReadonlyArray<Block> }
})

const markdown = Effect.fnUntraced(function* (content: string, page: string) {
  const { call } = yield* Harness
  return (yield* call("admin", "GET", `${content}/page/${page}`).pipe(json(200))).markdown as string
})

const tagOf = Effect.fnUntraced(function* (content: string, page: string) {
  const { call } = yield* Harness
  const { headers } = yield* call("admin", "GET", `${content}/page/${page}?format=document`).pipe(has(200))
  return headers.get("etag")!
})

const uninstall = Effect.fnUntraced(function* (path: string) {
  const { call } = yield* Harness
  yield* call("admin", "DELETE", path).pipe(has(204))
})

/** Expected blocks for the links and code of the guide, in its order. */
const expected = (name: string) => [
  { integration: name, block: "diagram", props: { content: "graph TD\n\n  A --> B" } },
  { integration: name, block: "diagram", props: { theme: "dark", wide: 2, content: "graph LR" } },
  { integration: name, block: "diagram", props: { content: "pie" } },
  {
    integration: name,
    block: "note",
    props: {},
    url: "https://my.notes.example/n/1",
    action: { action: "@link.unfurl", url: "https://my.notes.example/n/1" }
  }
]

onMemory(
  "Blocks of integrations",
  (it) => {
    it.effect("take over code by its language, and links, for as long as they are installed", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, idOf } = yield* spaceWith({ Guide: guide })
        const content = `/v1/spaces/${space}/content`
        const page = idOf("Guide")
        const before = yield* document(content, page)
        assert.deepStrictEqual(drawnIn(before), [])
        const tag = yield* tagOf(content, page)

        const { name, path } = yield* drawing
        const during = yield* document(content, page)
        assert.deepStrictEqual(drawnIn(during), expected(name))
        assert.deepStrictEqual(
          blocksOf(during.nodes).flatMap(({ type, data }) => (type === "code" ? data?.syntax : [])),
          ["js"]
        )
        // As Markdown, everything is what it was.
        assert.strictEqual(yield* markdown(content, page), guide)
        // What an answer is kept by, here and elsewhere, says what is installed.
        const installedTag = yield* tagOf(content, page)
        assert.notStrictEqual(installedTag, tag)
        yield* call("admin", "GET", `${content}/page/${page}?format=document`, undefined, {
          "if-none-match": tag
        }).pipe(has(200))
        yield* call("admin", "GET", `${content}/page/${page}?format=document`, undefined, {
          "if-none-match": installedTag
        }).pipe(has(304))

        // Another version draws something else.
        yield* publishIntegration(name, { target: "all", script, blocks: [note] })
        assert.deepStrictEqual(drawnIn(yield* document(content, page)), expected(name).slice(3))
        yield* publishIntegration(name, { target: "all", script, blocks: [diagram] })
        assert.deepStrictEqual(drawnIn(yield* document(content, page)), expected(name).slice(0, 3))

        yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
        assert.deepStrictEqual(yield* document(content, page), before)
        yield* call("admin", "PATCH", path, { status: "active" }).pipe(has(200))
        assert.lengthOf(drawnIn(yield* document(content, page)), 3)
        yield* uninstall(path)
        assert.deepStrictEqual(yield* document(content, page), before)
        assert.strictEqual(yield* tagOf(content, page), tag)
      })
    )

    it.effect("are on the spaces that their integration is on", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name, path } = yield* installed({ target: "space", script, blocks: [diagram] })
        const here = yield* spaceWith({ Guide: guide })
        const there = yield* spaceWith({ Guide: guide })
        yield* call("admin", "POST", `${path}/spaces`, { space: here.space }).pipe(has(201))
        const drawn = yield* document(`/v1/spaces/${here.space}/content`, here.idOf("Guide"))
        assert.deepStrictEqual(drawnIn(drawn), expected(name).slice(0, 3))
        assert.deepStrictEqual(drawnIn(yield* document(`/v1/spaces/${there.space}/content`, there.idOf("Guide"))), [])
        yield* uninstall(path)
      })
    )

    it.effect("are stored as what they stand for when a document is sent back", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name, path } = yield* drawing
        const { space, idOf } = yield* spaceWith({ Guide: guide })
        const page = idOf("Guide")
        const { id } = yield* openChangeRequest(space)
        const content = `/v1/spaces/${space}/change-requests/${id}/content`
        const answered = yield* document(content, page)
        assert.lengthOf(drawnIn(answered), 4)
        const revision = Effect.map(call("admin", "GET", content).pipe(json(200)), ({ id }) => id as string)
        const unchanged = yield* revision
        const sendBack = (document: unknown) =>
          write(space, id, [{ operation: "update_page", page, document: { document } }])
        yield* sendBack(answered)
        // Nothing of it is another document: there is no new revision.
        assert.strictEqual(yield* revision, unchanged)

        // What somebody writes in a block is written in the code, and a link with other properties is a block of its own.
        const edited = JSON.parse(
          JSON.stringify(answered)
            .replace("graph LR", "graph RL\\nX --> Y")
            .replace('"theme":"dark","wide":2', '"theme":"light","wide":2')
            .replace('"props":{},"url"', '"props":{"note":"1"},"url"')
        ) as typeof answered
        yield* sendBack(edited)
        const after = yield* markdown(content, page)
        assert.strictEqual(
          after,
          guide
            .replace("graph LR", "graph RL\nX --> Y")
            .replace('theme="dark"', 'theme="light"')
            .replace(
              '{% embed url="https://my.notes.example/n/1" %}',
              `{% @${name}/note "https://my.notes.example/n/1" note="1" %}`
            )
        )
        yield* uninstall(path)
        assert.deepStrictEqual(drawnIn(yield* document(content, page)), [
          { integration: name, block: "note", props: { note: "1" }, url: "https://my.notes.example/n/1" }
        ])
        // What was answered before it was removed is still what it stands for.
        yield* sendBack(answered)
        assert.strictEqual(yield* markdown(content, page), guide)
      })
    )

    it.effect("keep code as it came, however it was sent", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { path } = yield* drawing
        const leaf = (text: string, ...marks: ReadonlyArray<string>) => ({
          object: "leaf",
          text,
          marks: marks.map((type) => ({ object: "mark", type }))
        })
        const text = (...leaves: ReadonlyArray<object>) => ({ object: "text", key: "t", leaves })
        const line = (...nodes: ReadonlyArray<object>) => ({ object: "block", type: "code-line", key: "l", nodes })
        const code = (data: object, ...nodes: ReadonlyArray<object>) => ({
          object: "block",
          type: "code",
          isVoid: false,
          data,
          nodes
        })
        const sent = {
          object: "document",
          data: {},
          nodes: [
            code({ syntax: "mermaid", fullWidth: true }, line(text(leaf("a"), leaf("b"))), line(text(leaf("")))),
            code({ meta: "{1,3}", syntax: "mermaid" }, { ...line(text(leaf("a"))), data: { highlighted: true } }),
            code({ syntax: "mermaid" }, line(text(leaf("a", "bold")))),
            code({ syntax: "mermaid" }, line({ object: "inline", type: "expression", data: { expression: "a" } }))
          ]
        }
        const space = yield* createSpace({ title: "Docs" })
        const { idOf } = yield* publish(space.id, [{ ...insertPage("Code"), document: { document: sent } }])
        const { id } = yield* openChangeRequest(space.id)
        const content = `/v1/spaces/${space.id}/change-requests/${id}/content`
        const answered = yield* document(content, idOf("Code"))
        assert.deepStrictEqual(
          answered.nodes.map(({ type }) => type),
          ["integration", "integration", "code", "code"]
        )
        assert.deepInclude(answered.nodes[0]?.data, { props: { content: "ab\n" }, fullWidth: true })
        const before = yield* call("admin", "GET", content).pipe(json(200))
        yield* write(space.id, id, [{ operation: "update_page", page: idOf("Code"), document: { document: answered } }])
        assert.strictEqual((yield* call("admin", "GET", content).pipe(json(200))).id, before.id)
        yield* uninstall(path)
      })
    )

    it.effect("are drawn in documents, and what configures their integration only where that is configured", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const { name, path } = yield* installed({
          target: "all",
          script,
          blocks: [diagram],
          configurations: { account: { componentId: "settings" }, site: { componentId: "diagram" } },
          contentSources: [{ id: "source", title: "Source", configuration: { componentId: "source-settings" } }]
        })
        const { space } = yield* spaceWith({ Guide: guide })
        const site = yield* publishedSite([space])
        const { apiToken } = yield* resolve(`http://127.0.0.1:4000/sites/${site.basename}/`)
        const organizationId = organization
        const contexts = {
          document: { type: "document", spaceId: space },
          account: { type: "configuration_account", organizationId },
          space: { type: "configuration_space", spaceId: space },
          site: { type: "configuration_site", siteId: site.id },
          source: { type: "configuration_contentsource", organizationId, spaceId: space }
        }
        const drawnIn = {
          diagram: ["document", "site"],
          settings: ["account"],
          "source-settings": ["source"],
          dialog: Object.keys(contexts)
        }
        for (const [componentId, places] of Object.entries<ReadonlyArray<string>>(drawnIn)) {
          for (const [place, context] of Object.entries(contexts)) {
            const request = { componentId, props: {}, context }
            const { status, text } = yield* call("admin", "POST", `/v1/integrations/${name}/render`, request)
            assert.strictEqual(status, places.includes(place) ? 200 : 400, `${componentId} ${place} ${text}`)
            if (status === 400)
              assert.include(text, `The component ${componentId} of ${name} can't be rendered in this context`)
          }
          const read = { componentId, props: {}, context: contexts.document }
          const { status } = yield* call({ token: apiToken }, "POST", `/v1/integrations/${name}/render`, read)
          assert.strictEqual(status, places.includes("document") ? 200 : 400, componentId)
        }
        yield* uninstall(path)
      })
    )

    it.effect("are written as code where their integration says so", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name, path } = yield* drawing
        const tags = [
          `{% @${name}/diagram content="graph TD\n  A --> B" theme="dark" %}`,
          `{% @${name}/diagram %}`,
          `{% @${name}/diagram content="a" title="two\nlines" %}`,
          `{% @${name}/other content="a" %}`
        ]
        const text = tags.join("\n\n")
        const asCode = `${['```mermaid theme="dark"\ngraph TD\n  A --> B\n```', ...tags.slice(1)].join("\n\n")}\n`
        const { space, idOf } = yield* spaceWith({ Guide: text })
        const content = `/v1/spaces/${space}/content`
        assert.strictEqual(belowTitle(yield* markdown(content, idOf("Guide"))), asCode)

        // So it is where a folder has them: a page that is read in place, one that is read in a thread, and what is shared.
        const { id: other } = yield* createSpace({ title: "Imported" })
        const filler = `${"Words.\n\n".repeat(10_000)}`
        const files = [
          Folder.file("README.md", text),
          Folder.file("large.md", `${text}\n\n${filler}`),
          Folder.file(".gitbook/includes/shared.md", text)
        ]
        const { report } = yield* FolderImports.use(({ importFolder }) =>
          importFolder(SpaceId.make(other), { files })
        ).pipe(Effect.provideService(CurrentActor, host))
        assert.deepStrictEqual(report.problems, [])
        const imported = `/v1/spaces/${other}/content`
        const { pages } = yield* call("admin", "GET", `${imported}/pages`).pipe(json(200))
        for (const { id } of pages as ReadonlyArray<{ id: string }>) {
          const [first] = (yield* document(imported, id)).nodes
          assert.deepStrictEqual(first?.data?.["props"], { theme: "dark", content: "graph TD\n  A --> B" })
          assert.isTrue(belowTitle(yield* markdown(imported, id)).startsWith(asCode.trimEnd()))
        }
        yield* uninstall(path)
        assert.lengthOf(pages as ReadonlyArray<unknown>, 2)
        for (const { id } of pages as ReadonlyArray<{ id: string }>) {
          assert.strictEqual((yield* document(imported, id)).nodes[0]?.type, "code")
        }
      })
    )

    it.effect("say what their program made of a link, which it is asked for once", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const work = JobWorker.use(({ runDue }) => runDue)
        const { name, path } = yield* drawing
        const embed = (id: string) => `{% embed url="https://my.notes.example/n/${id}" %}`
        const text = `${embed("1")}\n\n${embed("refused")}\n\n${embed("failing")}\n\n${embed("plain")}\n`
        const { space, idOf } = yield* spaceWith({ Links: text })
        const content = `/v1/spaces/${space}/content`
        const page = idOf("Links")
        const link = (id: string, props: object = {}) => ({
          integration: name,
          block: "note",
          props,
          url: `https://my.notes.example/n/${id}`
        })
        const asked = (id: string) => ({
          ...link(id),
          action: { action: "@link.unfurl", url: `https://my.notes.example/n/${id}` }
        })
        const taken = link("1", { note: "1", url: "https://my.notes.example/n/1" })
        const shown = Effect.map(document(content, page), drawnIn)
        const told = Effect.gen(function* () {
          yield* IntegrationRecords.use(({ flush }) => flush)
          const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=1000`).pipe(json(200))
          return (items as ReadonlyArray<unknown>).length
        })
        assert.deepStrictEqual(yield* shown, ["1", "refused", "failing", "plain"].map(asked))
        const tag = yield* tagOf(content, page)
        yield* work
        // What was refused, or failed, is the embed that it was; what gave no properties is asked by whoever draws it.
        assert.deepStrictEqual(yield* shown, [taken, asked("plain")])
        assert.notStrictEqual(yield* tagOf(content, page), tag)
        assert.strictEqual(belowTitle(yield* markdown(content, page)), text)

        const request = {
          componentId: "note",
          props: {},
          action: asked("plain").action,
          context: { type: "document", spaceId: space }
        }
        const draw = call("admin", "POST", `/v1/integrations/${name}/render`, request).pipe(has(200))
        const drawnBefore = yield* told
        yield* draw
        yield* draw
        assert.strictEqual((yield* told) - drawnBefore, 1)

        // Others that come are asked for; those that are known are not asked again.
        const before = yield* told
        yield* publish(space, [insertPage("More", `${embed("1")}\n\n${embed("2")}\n`)])
        yield* work
        assert.deepStrictEqual(yield* shown, [taken, asked("plain")])
        yield* publish(space, [
          { operation: "update_page", page, document: { markdown: `${embed("2")}\n\n${embed("1")}\n` } }
        ])
        const second = link("2", { note: "2", url: "https://my.notes.example/n/2" })
        assert.deepStrictEqual(yield* shown, [second, taken])
        yield* work
        assert.strictEqual((yield* told) - before, 1)

        // Sent back it is a link, and a block of its own where somebody gave it other properties.
        const { id } = yield* openChangeRequest(space)
        const edited = `/v1/spaces/${space}/change-requests/${id}/content`
        const answered = yield* document(edited, page)
        yield* write(space, id, [{ operation: "update_page", page, document: { document: answered } }])
        assert.strictEqual(belowTitle(yield* markdown(edited, page)), `${embed("2")}\n\n${embed("1")}\n`)
        const other = JSON.parse(JSON.stringify(answered).replace('"note":"2"', '"note":"3"')) as unknown
        yield* write(space, id, [{ operation: "update_page", page, document: { document: other } }])
        assert.strictEqual(
          belowTitle(yield* markdown(edited, page)),
          `{% @${name}/note note="3" url="https://my.notes.example/n/2" %}\n\n${embed("1")}\n`
        )

        // Whoever installs it again begins anew.
        yield* uninstall(path)
        assert.deepStrictEqual(yield* shown, [])
        const again = yield* install(name)
        assert.deepStrictEqual(yield* shown, [asked("2"), asked("1")])
        yield* uninstall(`/v1/integrations/${name}/installations/${again.id}`)
      })
    )

    it.effect("look at the links of a space when their integration comes to it", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name, path } = yield* installed({ target: "space", script, blocks: [note] })
        const { space, idOf } = yield* spaceWith({ Links: '{% embed url="https://notes.example/a/7" %}\n' })
        yield* call("admin", "POST", `${path}/spaces`, { space }).pipe(has(201))
        yield* JobWorker.use(({ runDue }) => runDue)
        assert.deepStrictEqual(drawnIn(yield* document(`/v1/spaces/${space}/content`, idOf("Links"))), [
          {
            integration: name,
            block: "note",
            props: { note: "7", url: "https://notes.example/a/7" },
            url: "https://notes.example/a/7"
          }
        ])
        yield* uninstall(path)
      })
    )

    it.effect("refuse nothing of what somebody makes up about them but what no document may hold", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const space = yield* createSpace({ title: "Docs" })
        const { id } = yield* openChangeRequest(space.id)
        const path = `/v1/spaces/${space.id}/change-requests/${id}/content?compat=false`
        const deep = JSON.parse(`${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`) as unknown
        const origins: ReadonlyArray<readonly [status: number, props: unknown, origin: unknown]> = [
          [200, {}, null],
          [200, {}, "code"],
          [200, {}, { type: "code" }],
          [200, { content: 1 }, { type: "code", body: "content", data: {} }],
          [200, { content: "a" }, { type: "code", body: "content", data: { syntax: 1 }, nodes: [null] }],
          [200, { content: "a" }, { type: "code", body: "__proto__", data: {} }],
          [200, { content: "a" }, { type: "code", body: "content", data: [] }],
          [400, { content: "a" }, { type: "code", body: "content", data: {}, isVoid: 1 }],
          // More lines than a document may hold stay a text.
          [200, { content: "\n".repeat(100_001) }, { type: "code", body: "content", data: {} }],
          [400, { content: "\n".repeat(99_000) }, { type: "code", body: "content", data: {} }],
          [200, {}, { type: "embed", data: {}, props: {} }],
          [400, deep, { type: "embed", data: {}, props: deep }],
          [400, {}, { type: "embed", data: deep, props: {} }],
          [200, {}, { type: "table", data: {} }]
        ]
        for (const [status, props, origin] of origins) {
          const block = { object: "block", type: "integration", data: { integration: "a", block: "b", props, origin } }
          const changes = [
            { operation: "insert_page", title: "Page", document: { document: { object: "document", nodes: [block] } } }
          ]
          const answer = yield* call("admin", "POST", path, { changes })
          assert.strictEqual(
            answer.status,
            status,
            `${JSON.stringify(origin).slice(0, 100)} ${answer.text.slice(0, 300)}`
          )
        }
      })
    )

    it.effect("reach visitors with what it takes to draw them, while something does", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name, path } = yield* drawing
        yield* call("admin", "PATCH", path, { configuration: { key: "hidden" } }).pipe(has(200))
        const made = `{% @${name}/note note="9" url="javascript:run()" %}\n\n{% @nobody/note content="Nothing draws it" %}\n\n{% @mermaid/diagram content="pie" %}`
        const { space, idOf } = yield* spaceWith({ Guide: `${guide}\n${made}` })
        const site = yield* publishedSite([space])
        const { apiToken } = yield* resolve(`http://127.0.0.1:4000/sites/${site.basename}/`)
        const read = (format: string) =>
          reading(apiToken, `/spaces/${space}/content/page/${idOf("Guide")}?format=${format}`)
        const shown = yield* read("document")
        assert.deepStrictEqual(drawnIn((yield* Effect.succeed(shown).pipe(json(200))).document), [
          ...expected(name),
          { integration: name, block: "note", props: { note: "9", url: "" } },
          { integration: name, block: "diagram", props: { content: "pie" } }
        ])
        for (const secret of ["hidden", "origin", "Nothing draws it"]) assert.notInclude(shown.text, secret)
        const text = yield* read("markdown")
        assert.include(text.text, `@${name}/note`)
        assert.notInclude(text.text, "nobody")
        assert.include(text.text, "@mermaid/diagram")

        // They draw it with what they have.
        const [, , , link] = drawnIn(JSON.parse(shown.text).document)
        const render = (props: unknown, action?: unknown) =>
          call({ token: apiToken }, "POST", `/v1/integrations/${name}/render`, {
            componentId: "note",
            props,
            context: { type: "document", spaceId: space, editable: false, theme: "light" },
            ...(action !== undefined && { action })
          }).pipe(json(200))
        const output = yield* render(link!.props, link!.action)
        assert.deepStrictEqual(output.props, { note: "1", url: "https://my.notes.example/n/1" })

        yield* uninstall(path)
        const hidden = yield* read("document")
        assert.deepStrictEqual(drawnIn((yield* Effect.succeed(hidden).pipe(json(200))).document), [])
        assert.notInclude(hidden.text, name)
        assert.include(hidden.text, "graph TD")
        assert.notInclude((yield* read("markdown")).text, name)
        yield* install(name)
        assert.lengthOf(drawnIn((yield* read("document").pipe(json(200))).document), 6)
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)

onMemory("Blocks of integrations where nothing runs", (it) => {
  it.effect("are code and links, as they are without them", () =>
    Effect.gen(function* () {
      const { name } = yield* drawing
      const { space, idOf } = yield* spaceWith({ Guide: `${guide}\n{% @${name}/diagram content="pie" %}\n` })
      const { nodes } = yield* document(`/v1/spaces/${space}/content`, idOf("Guide"))
      assert.deepStrictEqual(drawnIn({ nodes }), [{ integration: name, block: "diagram", props: { content: "pie" } }])
      assert.lengthOf(
        nodes.filter(({ type }) => type === "code" || type === "embed"),
        6
      )
    })
  )
})
