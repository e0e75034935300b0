/** Blocks of integrations on pages of sites: what their programs draw for a reader, and what readers do with them. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import { installed, program } from "../../http/test/IntegrationSteps.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { spaceWith } from "../../http/test/Steps.ts"
import { UnsafeRuntime } from "../../http/test/UnsafeRuntime.ts"
import { unescape } from "../src/html/Html.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const counting = program(`
  const { action, props, state = {}, componentId, auth } = event
  const draw = (children, more = {}) =>
    Response.json(
      { type: "element", state: { ...state, ...more }, props, element: { type: "block", children } },
      { headers: { "cache-control": props.kept ? "max-age=60" : "no-store" } }
    )
  if (props.fails) return new Response("Broken", { status: 500 })
  if (componentId === "dialog") {
    return action?.action === "done"
      ? Response.json({ type: "complete", returnValue: { steps: state.steps } })
      : draw(
          [{ type: "modal", title: "In the dialog", returnValue: { by: "closing" }, submit: { type: "button", label: "Done", onPress: { action: "done" } } }],
          { steps: (state.steps ?? 0) + 1 }
        )
  }
  globalThis.drawings = (globalThis.drawings ?? 0) + 1
  const count = (state.count ?? 0) + (action?.action === "bump" ? action.by ?? 1 : 0)
  return draw([
    { type: "text", children: ["Count: " + count + " of " + (state.name ?? "nobody") + ", drawn " + globalThis.drawings] },
    { type: "text", children: ["Back: " + JSON.stringify(action?.action === "@ui.modal.close" ? action.returnValue : null)] },
    { type: "text", children: ["Told: " + JSON.stringify({ ...state, auth: auth ?? null })] },
    { type: "markdown", content: "**bold** <script>alert(1)</script> [bad](javascript:alert(1))" },
    { type: "link", target: { url: "javascript:alert(1)" }, children: ["a link"] },
    { type: "image", source: { url: "data:text/html,x" } },
    { type: "webframe", source: { url: "https://elsewhere.example/frame" } },
    { type: "webframe", source: { url: "http://127.0.0.1:4001/frame" }, data: { name: { $state: "name" } } },
    { type: "textinput", state: "name", initialValue: "\\"><script>" },
    { type: "switch", state: "on" },
    { type: "nonsense", children: ["unseen"] },
    { type: "button", label: "Add", onPress: { action: "bump", by: { $state: "step" } } },
    { type: "button", label: "Edit", onPress: { action: "@editor.node.updateProps", props: {} } },
    { type: "button", label: "Open", onPress: { action: "@ui.url.open", url: "javascript:alert(1)" } },
    { type: "button", label: "Dialog", onPress: { action: "@ui.modal.open", componentId: "dialog", props: {} } }
  ], { count, step: 2 })
`)

const blocks = [
  { id: "counter", title: "Counter" },
  { id: "chart", title: "Chart", markdown: { codeblock: "chart", body: "content" } }
]

const siteWith = Effect.fnUntraced(function* (text: (name: string) => string) {
  const { name } = yield* installed({ target: "all", script: counting, blocks })
  const { space } = yield* spaceWith({ Start: text(name) })
  const { urls } = yield* publishedSite([space], { title: "Acme" })
  return `${urls.published}start`
})

/** The fields of the first block's form. */
const formIn = (text: string) => {
  const [, form = ""] = /<lectern-block[^>]*><form[^>]*>(.*?)<\/form>/s.exec(text) ?? []
  return new URLSearchParams(
    Array.from(form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g), ([, name, value]) => [
      name!,
      unescape(value!)
    ])
  )
}

const sending = (fields: URLSearchParams, headers: Record<string, string> = {}) => {
  const body = fields.toString()
  return [
    { "content-type": "application/x-www-form-urlencoded", "content-length": String(body.length), ...headers },
    { method: "POST", body }
  ] as const
}

const press = (fields: URLSearchParams, action: object, more: Record<string, string> = {}) => {
  const sent = new URLSearchParams(fields)
  for (const [name, value] of Object.entries({ ...more, action: JSON.stringify(action) })) sent.set(name, value)
  return sent
}

onMemory(
  "A block of an integration on a page",
  (it) => {
    it.effect("is what its program draws, and nothing of it runs", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const url = yield* siteWith((name) => `Before\n\n{% @${name}/counter a="b" %}\n\nAfter`)
        const { text, headers } = yield* ask(url).pipe(hasStatus(200))
        assert.match(text, /<p>Before<\/p><lectern-block class="ck"><form method="post"/)
        assert.include(text, "Count: 0 of nobody")
        assert.include(text, "<strong>bold</strong>")
        assert.notMatch(text, /javascript:alert|<script>alert|data:text\/html|elsewhere\.example|unseen|>Edit</)
        assert.include(text, `value="&quot;&gt;&lt;script&gt;"`)
        assert.include(text, `<iframe src="http://127.0.0.1:4001/frame"`)
        const site = new URL(url).pathname.replace(/start$/, "")
        assert.include(unescape(text), `data-state="{"name":null}" data-bound="[["name","name"]]" data-site="${site}"`)
        assert.include(text, `sandbox="allow-scripts allow-forms allow-popups"`)
        assert.match(headers.get("content-security-policy")!, /frame-src http:\/\/127\.0\.0\.1:4001 /)
        assert.match(text, /<script type="module" src="[^"]*\/~lectern\/blocks\.[^"]*"><\/script>/)
        // A visitor is nobody that a program knows.
        assert.include(unescape(text), `"auth":null`)
      })
    )

    it.effect("is asked for at each view, unless its program says how long it holds", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const drawn = (text: string) => /drawn (\d+)/.exec(text)?.[1]
        const fresh = yield* siteWith((name) => `{% @${name}/counter a="b" %}`)
        const [one, two] = [yield* ask(fresh), yield* ask(fresh)]
        assert.notStrictEqual(drawn(one.text), drawn(two.text))
        assert.notStrictEqual(one.headers.get("etag"), two.headers.get("etag"))
        const kept = yield* siteWith((name) => `{% @${name}/counter kept="true" %}`)
        const [three, four] = [yield* ask(kept), yield* ask(kept)]
        assert.strictEqual(drawn(three.text), drawn(four.text))
        assert.strictEqual(three.headers.get("etag"), four.headers.get("etag"))
      })
    )

    it.effect("leaves a sentence where its program fails, and nothing where there is none", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const url = yield* siteWith(
          (name) => `Before\n\n{% @${name}/counter fails="true" %}\n\n{% @gone/x a="b" %}\n\nAfter`
        )
        const { text } = yield* ask(url).pipe(hasStatus(200))
        assert.match(
          text,
          /<p>Before<\/p><p class="missing">This part can&#39;t be shown right now\.<\/p><p>After<\/p>/
        )
        assert.notInclude(text, "blocks.")
      })
    )

    it.effect("takes the place of code in its language", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const url = yield* siteWith(() => "```chart\n1 2 3\n```\n")
        const { text } = yield* ask(url).pipe(hasStatus(200))
        assert.include(text, "Count: 0")
        assert.notInclude(text, '<figure class="code"')
        assert.strictEqual(formIn(text).get("props"), JSON.stringify({ content: "1 2 3" }))
      })
    )

    it.effect("draws 20 different blocks of a page, and the same block once", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const url = yield* siteWith((name) =>
          Array.from(
            { length: 25 },
            (_, i) => `{% @${name}/counter n="${i}" %}\n\n{% @${name}/counter n="${i}" %}`
          ).join("\n\n")
        )
        const { text } = yield* ask(url).pipe(hasStatus(200))
        assert.strictEqual(text.split("<lectern-block").length - 1, 40)
        assert.strictEqual(text.split(`class="missing"`).length - 1, 10)
        assert.strictEqual(new Set(text.match(/drawn \d+/g)).size, 20)
      })
    )

    it.effect("does what its reader presses, as its reader, and is drawn again", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const url = yield* siteWith((name) => `{% @${name}/counter a="b" %}`)
        const to = url.replace(/start$/, "~block")
        const form = formIn((yield* ask(url)).text)
        const bump = press(form, { action: "bump", by: { $state: "step" } }, { "t.name": "<Zoe>", "b.on": "1" })
        const page = yield* ask(to, ...sending(bump)).pipe(hasStatus(200))
        assert.match(page.text, /<!doctype html>.*<h1>Start<\/h1>.*Count: 2 of &lt;Zoe&gt;.*Back to the page/s)
        assert.include(unescape(page.text), `Told: {"count":0,"step":2,"name":"<Zoe>","on":true,"auth":null}`)
        assert.strictEqual(page.headers.get("cache-control"), "private, no-store")
        assert.match(page.headers.get("content-security-policy")!, /frame-src http:\/\/127\.0\.0\.1:4001 /)
        const again = yield* ask(to, ...sending(press(formIn(page.text), { action: "bump" }, { part: "block" })))
        assert.isTrue(again.text.startsWith(`<lectern-block class="ck">`), again.text)
        assert.include(again.text, "Count: 3 of")
        assert.notInclude(again.text, "Close")
      })
    )

    it.effect("leaves its link where its program fails, and a sentence where a reader has just pressed something", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const link = "https://x.example/1"
        const url = yield* siteWith((name) => `{% @${name}/counter "${link}" a="b" %}`)
        const to = url.replace(/start$/, "~block")
        const props = JSON.stringify({ fails: "true" })
        const failing = press(formIn((yield* ask(url)).text), { action: "bump" }, { props })
        assert.include((yield* ask(to, ...sending(failing)).pipe(hasStatus(200))).text, `<p><a href="${link}"`)
        // The block stays, and this is shown below it.
        failing.set("part", "block")
        const { text } = yield* ask(to, ...sending(failing)).pipe(hasStatus(200))
        assert.strictEqual(text, `<p class="missing">This part can&#39;t be shown right now.</p>`)
      })
    )

    it.effect("is as it was behind a dialog, which keeps its own state, and is told what that hands back", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const url = yield* siteWith((name) => `{% @${name}/counter a="b" %}`)
        const send = Effect.fnUntraced(function* (fields: URLSearchParams, action: object, more = {}) {
          const { text } = yield* ask(url.replace(/start$/, "~block"), ...sending(press(fields, action, more)))
          return { text: unescape(text), form: formIn(text) }
        })
        const begun = yield* send(formIn((yield* ask(url)).text), { action: "bump", by: 3 }, { "t.name": "Zoe" })
        assert.include(begun.text, "Count: 3 of Zoe")
        const open = { action: "@ui.modal.open", componentId: "dialog", props: {} }
        const dialog = yield* send(begun.form, open, { "t.name": "Zoe" })
        assert.include(dialog.text, "In the dialog")
        const more = yield* send(dialog.form, { action: "more" })
        assert.include(more.text, "In the dialog")
        const done = yield* send(more.form, { action: "done" })
        assert.include(done.text, "Count: 3 of Zoe")
        assert.include(done.text, `Back: {"steps":2}`)
        assert.isNull(done.form.get("component"))
        assert.include(more.text, `value="{"action":"@ui.modal.close","returnValue":{"by":"closing"}}">Close<`)
        const twice = yield* send((yield* send(more.form, open)).form, { action: "done" })
        assert.include(twice.text, "In the dialog")
        const closed = yield* send(twice.form, { action: "@ui.modal.close", returnValue: { by: "closing" } })
        assert.include(closed.text, "Count: 3 of Zoe")
        assert.include(closed.text, `Back: {"by":"closing"}`)
        const unknown = yield* send(press(more.form, {}, { openers: "[]" }), { action: "done" })
        assert.include(unknown.text, "Count: 0 of nobody")
        for (const openers of ["{}", "[", JSON.stringify([{}, {}, {}, {}, {}, {}])]) {
          const body = press(more.form, { action: "done" }, { openers })
          yield* ask(url.replace(/start$/, "~block"), ...sending(body)).pipe(hasStatus(404))
        }
      })
    )

    it.effect("takes forms of its own pages alone, of blocks that are there, within bounds", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const url = yield* siteWith((name) => `{% @${name}/counter a="b" %}`)
        const to = url.replace(/start$/, "~block")
        const form = formIn((yield* ask(url)).text)
        const bump = press(form, { action: "bump" })
        for (const headers of [
          { "sec-fetch-site": "cross-site" },
          { "sec-fetch-site": "same-site" },
          { origin: "https://evil.example" },
          { origin: "null" }
        ]) {
          yield* ask(to, ...sending(bump, headers)).pipe(hasStatus(404))
        }
        yield* ask(to, ...sending(bump, { "sec-fetch-site": "same-origin" })).pipe(hasStatus(200))
        yield* ask(to, ...sending(bump, { origin: new URL(url).origin })).pipe(hasStatus(200))
        for (const more of [
          { block: "none" },
          { page: "none" },
          { state: "[" },
          { props: "1" },
          { component: "x".repeat(101) }
        ]) {
          const { status, text } = yield* ask(to, ...sending(press(form, { action: "bump" }, more)))
          assert.isTrue(status === 404 || text.includes(`class="missing"`), JSON.stringify(more))
        }
        yield* ask(to, ...sending(press(form, { nothing: 1 }))).pipe(hasStatus(404))
        yield* ask(to, ...sending(press(form, { action: "bump" }, { "t.name": "x".repeat(300_000) }))).pipe(
          hasStatus(404)
        )
        yield* ask(to).pipe(hasStatus(404))
        const answers = new Map<number, string>()
        for (let i = 0; i < 60; i++) {
          const { status, text } = yield* ask(to, ...sending(bump))
          answers.set(status, text)
        }
        assert.deepStrictEqual([...answers.keys()], [200, 429])
        assert.strictEqual(answers.get(429), "Pressed too often. Wait a minute, then press again.\n")
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
