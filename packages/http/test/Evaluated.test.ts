/** Pages as they read: variables, includes and conditions, for members and for visitors of a site. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { belowTitle } from "../../core/test/content/BelowTitle.ts"
import { Harness, has, onEachAdapter, refused } from "./Harness.ts"
import { createSite, goodToken, json, patchSite, publishSite, reading, resolve } from "./SiteSteps.ts"
import { createSpace, insertPage, openChangeRequest, publish, write } from "./Steps.ts"

const leaf = (text: string) => ({ object: "text", leaves: [{ object: "leaf", text, marks: [] }] })
const block = (type: string, data: object, nodes: ReadonlyArray<object> = []) => ({
  object: "block",
  type,
  data,
  nodes
})
const paragraph = (...parts: ReadonlyArray<string | object>) =>
  block(
    "paragraph",
    {},
    parts.map((part) => (typeof part === "string" ? leaf(part) : part))
  )
const value = (expression: string) => ({ object: "inline", type: "expression", data: { expression }, isVoid: true })
const choice = (expression: string, ...nodes: ReadonlyArray<object>) => block("if", { expression }, nodes)
const include = (reusableContent: string) =>
  block("reusable-content", { ref: { kind: "reusable-content", reusableContent } })
const document = (...nodes: ReadonlyArray<object>) => ({ document: { object: "document", data: {}, nodes } })

const page = document(
  paragraph("Version ", value("space.vars.version"), " of ", value("page.vars.product"), "."),
  block("heading-1", {}, [leaf("About "), value("space.vars.version")]),
  include("Note"),
  include("Loop"),
  choice("visitor.claims.plan == 'pro'", paragraph("Only for those who pay, ", value("visitor.claims.name"))),
  choice("space.vars.beta", paragraph("Only in the beta")),
  paragraph(value("space.vars.unknown"))
)

const makeSpace = Effect.gen(function* () {
  const space = yield* createSpace({ title: "Evaluated" })
  const made = yield* publish(space.id, [
    { operation: "set_variables", variables: { version: "1.2", beta: false } },
    {
      operation: "upsert_reusable_content",
      ref: "Note",
      title: "Note",
      document: document(paragraph("Note for ", value("space.vars.version")))
    },
    {
      operation: "upsert_reusable_content",
      ref: "Loop",
      title: "Loop",
      document: document(paragraph("Round"), include("Loop"), include("Loop"))
    },
    { operation: "insert_page", ref: "Page", title: "Page", variables: { product: "Lectern" }, document: page }
  ])
  return { space: space.id, page: made.idOf("Page"), changeRequest: made.changeRequest, revision: made.revision }
})

onEachAdapter("Evaluated content", (it) => {
  it.effect("a page reads with its values, what it includes, and what holds, wherever it is read", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const made = yield* makeSpace
      const space = `/v1/spaces/${made.space}`
      const textOf = (scope: string, query: string) =>
        Effect.map(
          call("read", "GET", `${space}${scope}/page/${made.page}?${query}`).pipe(has(200)),
          ({ text }): string => text
        )
      const scopes = ["/content", `/revisions/${made.revision}`, `/change-requests/${made.changeRequest}/content`]
      for (const scope of scopes) {
        const { markdown } = JSON.parse(yield* textOf(scope, "evaluated=true"))
        assert.include(markdown, "Version 1.2 of Lectern.")
        assert.include(markdown, "## About 1.2")
        assert.include(markdown, "Note for 1.2")
        assert.lengthOf(markdown.match(/Round/g) ?? [], 1)
        assert.include(markdown, "<!-- Not included: it would include itself. -->")
        assert.notInclude(markdown, "Only for those who pay")
        assert.notInclude(markdown, "Only in the beta")
        const text = yield* textOf(scope, "format=document&evaluated=true")
        assert.include(text, "space.vars.unknown")
        assert.notInclude(text, "space.vars.version")
        assert.notInclude(text, '"if"')
      }
      const raw = yield* textOf("/content", "format=document")
      assert.strictEqual(yield* textOf("/content", "format=document&evaluated=false"), raw)
      for (const kept of ["space.vars.version", "Only for those who pay", "Only in the beta"]) assert.include(raw, kept)
      const some = yield* textOf("/content", "format=document&evaluated=deterministic-only")
      for (const kept of ["visitor.claims.plan", "Only for those who pay", "Note for 1.2"]) assert.include(some, kept)
      for (const gone of ["space.vars.version", "Only in the beta"]) assert.notInclude(some, gone)
      for (const wrong of ["yes", "1", "", "deterministic"]) {
        yield* call("read", "GET", `${space}/content/page/${made.page}?evaluated=${wrong}`).pipe(refused(400))
      }
    })
  )

  it.effect("a page that is written in Markdown says the same", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const markdown = `---
vars:
  product: Lectern
---

Version <code class="expression">space.vars.version</code> of <code class="expression">page.vars.product</code>.

{% if space.vars.version == "1.2" %}
It is the newest.
{% else %}
It is old.
{% endif %}

{% include "/reusable-contents/Note" %}
`
      const { idOf } = yield* publish(space, [
        { operation: "set_variables", variables: { version: "1.2" } },
        {
          operation: "upsert_reusable_content",
          ref: "Note",
          title: "Note",
          document: { markdown: '* Ask <code class="expression">page.vars.product</code>' }
        },
        { operation: "insert_page", title: "Page", ref: "Page", document: { markdown } }
      ])
      const path = `/v1/spaces/${space}/content/page/${idOf("Page")}`
      const read = (query: string) =>
        Effect.map(call("read", "GET", path + query).pipe(has(200)), ({ text }): string =>
          belowTitle(JSON.parse(text).markdown)
        )
      assert.strictEqual(
        yield* read("?evaluated=true"),
        "Version 1.2 of Lectern.\n\nIt is the newest.\n\n* Ask Lectern\n"
      )
      assert.include(yield* read(""), "{% else %}")
      const included = yield* call("read", "GET", `${path}/document?dereferenced=reusable-contents`).pipe(has(200))
      assert.include(included.text, "Ask ")
      assert.notInclude((yield* call("read", "GET", `${path}/document`).pipe(has(200))).text, "Ask ")
      yield* publish(space, [{ operation: "set_variables", variables: { version: "1.1" } }])
      assert.include(yield* read("?evaluated=true"), "It is old.")
    })
  )

  it.effect("a change of a variable is read at once, and has another tag", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, page } = yield* makeSpace
      const path = `/v1/spaces/${space}/content/page/${page}?evaluated=true`
      const before = yield* call("read", "GET", path).pipe(has(200))
      const etag = before.headers.get("etag")!
      yield* call("read", "GET", path, undefined, { "if-none-match": etag }).pipe(has(304))
      yield* publish(space, [{ operation: "set_variables", variables: { version: "2.0", beta: true } }])
      const after = yield* call("read", "GET", path, undefined, { "if-none-match": etag }).pipe(has(200))
      assert.include(after.text, "Version 2.0")
      assert.include(after.text, "Only in the beta")
      const { id } = yield* openChangeRequest(space)
      yield* write(space, id, [{ operation: "update_page", page, variables: { product: "Other" } }])
      const changed = yield* call("read", "GET", path.replace("/content", `/change-requests/${id}/content`))
      assert.include(changed.text, "Version 2.0 of Other.")
      for (const wrong of [{ "": "x" }, { "1a": "x" }, { a: [] }, { a: "x".repeat(10_001) }, 1]) {
        yield* call("admin", "POST", `/v1/spaces/${space}/change-requests/${id}/content`, {
          changes: [{ operation: "update_page", page, variables: wrong }]
        }).pipe(refused(400))
      }
    })
  )

  it.effect("what a condition hides from a visitor comes out nowhere, and each visitor reads its own", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, page } = yield* makeSpace
      const { id } = yield* createSite([space])
      yield* patchSite(id, { visibility: "visitor-auth" })
      const { basename } = yield* publishSite(id)
      const url = `http://127.0.0.1:4000/sites/${basename}/`
      const tokenOf = Effect.fnUntraced(function* (claims: Record<string, unknown>) {
        const jwtToken = yield* goodToken(id, claims)
        return (yield* resolve(url, { jwtToken })).apiToken
      })
      // A member reads all of it first: what it got is not what visitors get.
      for (const query of ["", "?format=document", "?evaluated=true"]) {
        yield* call("admin", "GET", `/v1/spaces/${space}/content/page/${page}${query}`).pipe(has(200))
      }
      const pro = yield* tokenOf({ plan: "pro", name: "Ada" })
      const other = yield* tokenOf({ plan: "pro", name: "Bob" })
      const free = yield* tokenOf({ plan: "free" })
      const tags = new Set<string>()
      for (const evaluated of ["true", "false", "deterministic-only"]) {
        for (const format of ["markdown", "document"]) {
          const path = `/spaces/${space}/content/page/${page}?format=${format}&evaluated=${evaluated}`
          for (let i = 0; i < 2; i++) {
            const paid = yield* reading(pro, path).pipe(has(200))
            assert.include(paid.text, "Only for those who pay")
            assert.notInclude(paid.text, "visitor.claims.plan")
            if (evaluated === "true") {
              assert.include(paid.text, "Ada")
              assert.include((yield* reading(other, path)).text, "Bob")
            }
            const unpaid = yield* reading(free, path).pipe(has(200))
            assert.notInclude(unpaid.text, "Only for those who pay")
            assert.notInclude(unpaid.text, "Only in the beta")
            tags.add(paid.headers.get("etag")!)
            tags.add(unpaid.headers.get("etag")!)
          }
        }
      }
      assert.strictEqual(tags.size, 2)
      for (const [query, found] of [
        ["pay", 0],
        ["version", 1]
      ] as const) {
        const results = yield* reading(free, `/spaces/${space}/search?query=${query}`).pipe(has(200))
        assert.strictEqual(JSON.parse(results.text).items.length, found, query)
        assert.notInclude(results.text, "those who")
      }
    })
  )

  it.effect("a visitor knows the names of those whom something mentions to it", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id: space } = yield* createSpace()
      const to = (user: string) => `[Somebody](/users/${user})`
      const { idOf } = yield* publish(space, [
        insertPage(
          "Page",
          `${to(users.edit)}\n\n{% if visitor.claims.plan == "pro" %}\n${to(users.review)}\n{% endif %}`
        ),
        insertPage("Gone", to("nobody")),
        insertPage("Pro", to(users.comment), { condition: 'visitor.claims.plan == "pro"' })
      ])
      const { id } = yield* createSite([space])
      yield* patchSite(id, { visibility: "visitor-auth" })
      const { basename } = yield* publishSite(id)
      const tokenOf = Effect.fnUntraced(function* (plan: string) {
        const jwtToken = yield* goodToken(id, { plan })
        return (yield* resolve(`http://127.0.0.1:4000/sites/${basename}/`, { jwtToken })).apiToken
      })
      const [pro, free] = [yield* tokenOf("pro"), yield* tokenOf("free")]
      const knows = (token: string, user: string) => call({ token }, "GET", `/v1/users/${user}`)
      const { displayName, urls } = yield* call("admin", "GET", `/v1/users/${users.edit}`).pipe(json(200))
      for (const token of [pro, free]) {
        const known = yield* knows(token, users.edit).pipe(json(200))
        assert.deepStrictEqual(known, { object: "user", id: users.edit, displayName, urls })
        for (const user of [users.read, users.outsider, "nobody"]) yield* knows(token, user).pipe(refused(404))
      }
      for (const user of [users.review, users.comment]) {
        yield* knows(pro, user).pipe(has(200))
        yield* knows(free, user).pipe(refused(404))
      }
      yield* publish(space, [{ operation: "update_page", page: idOf("Page"), document: { markdown: "Nobody" } }])
      yield* knows(pro, users.edit).pipe(refused(404))
      yield* knows(pro, users.comment).pipe(has(200))
    })
  )

  it.effect("a visitor has the files of what a condition leaves for it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const names = ["pro.txt", "all.txt", "unused.txt"]
      const { insertedFiles } = yield* publish(space, [
        { operation: "insert_files", files: names.map((name) => ({ name, ref: name, base64: "aGVsbG8=" })) }
      ])
      const [paid, shared, unused] = (insertedFiles ?? []).map(({ id }) => id)
      const ofFile = (id: string) => block("file", { ref: { kind: "file", file: id } })
      const text = document(choice("visitor.claims.plan == 'pro'", ofFile(paid!)), ofFile(shared!))
      yield* publish(space, [{ operation: "insert_page", title: "Page", document: text }])
      const { id } = yield* createSite([space])
      yield* patchSite(id, { visibility: "visitor-auth" })
      const { basename } = yield* publishSite(id)
      const tokenOf = Effect.fnUntraced(function* (plan: string) {
        const jwtToken = yield* goodToken(id, { plan })
        return (yield* resolve(`http://127.0.0.1:4000/sites/${basename}/`, { jwtToken })).apiToken
      })
      const listed = (text: string): ReadonlyArray<string> =>
        JSON.parse(text)
          .items.map(({ name }: { readonly name: string }) => name)
          .sort()
      const path = `/v1/spaces/${space}/content/files`
      assert.deepStrictEqual(listed((yield* call("read", "GET", path).pipe(has(200))).text), names.toSorted())
      for (const [plan, seen] of [
        ["pro", ["all.txt", "pro.txt"]],
        ["free", ["all.txt"]]
      ] as const) {
        const token = yield* tokenOf(plan)
        assert.deepStrictEqual(listed((yield* call({ token }, "GET", path).pipe(has(200))).text), seen)
        for (const [file, name] of [
          [paid, "pro.txt"],
          [shared, "all.txt"],
          [unused, "unused.txt"]
        ] as const) {
          const asked = call({ token }, "GET", `${path}/${file}`)
          yield* (seen as ReadonlyArray<string>).includes(name) ? asked.pipe(has(200)) : asked.pipe(refused(404))
          yield* call({ token }, "GET", `${path}/${file}/backlinks`).pipe(refused(404))
        }
        yield* call({ token }, "GET", `/v1/spaces/${space}/links`).pipe(refused(404))
      }
    })
  )
})
