/** Input that is wrong: a clear error that says where, and nothing stored. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSite } from "./SiteSteps.ts"
import {
  createSpace,
  getChangeRequest,
  getSpace,
  insertPage,
  openChangeRequest,
  pageOf,
  spaceWith,
  write
} from "./Steps.ts"

const emoji = "👩‍🚀🎉"

/** A space of three pages, one below the other, and a change request of it. */
const prepare = Effect.gen(function* () {
  const { space, idOf } = yield* spaceWith({ Top: "Top text", Other: "Other text" })
  const { id } = yield* openChangeRequest(space)
  const { idOf: below } = yield* write(space, id, [
    insertPage("Middle", "", { into: idOf("Top") }),
    insertPage("Bottom", "", { into: "Middle" })
  ])
  const path = `/v1/spaces/${space}/change-requests/${id}`
  return { space, id, path, top: idOf("Top"), other: idOf("Other"), middle: below("Middle"), bottom: below("Bottom") }
})

const batch = Effect.fnUntraced(function* (path: string, changes: unknown) {
  const { call } = yield* Harness
  return yield* call("admin", "POST", `${path}/content?compat=false`, { changes })
})

onEachAdapter("Bad input", (it) => {
  it.effect("counts characters, not UTF-16 units, nor what looks like one", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const space = yield* createSpace({ title: "🎉".repeat(50), emoji: "🚀" })
      assert.strictEqual(space.title, "🎉".repeat(50))
      const path = `/v1/spaces/${space.id}`
      for (const body of [{ title: "🎉".repeat(51) }, { title: "x".repeat(51) }, { emoji: "🚀🚀" }]) {
        const { issues } = yield* call("admin", "PATCH", path, body).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, `body.${Object.keys(body)[0]}`)
        yield* call("admin", "POST", `/v1/orgs/${organization}/spaces`, body).pipe(refused(400))
      }
      const { number } = yield* openChangeRequest(space.id, { subject: emoji.repeat(25) })
      const at = `${path}/change-requests/${number}`
      yield* call("admin", "PATCH", at, { subject: "🎉".repeat(100) }).pipe(has(200))
      yield* call("admin", "PATCH", at, { subject: "🎉".repeat(101) }).pipe(refused(400))
      yield* call("admin", "POST", `${path}/change-requests`, { subject: "x".repeat(101) }).pipe(refused(400))
      yield* call("admin", "POST", `${path}/change-requests`, { agentTaskId: "x".repeat(257) }).pipe(refused(400))
      assert.strictEqual((yield* getChangeRequest(space.id, number)).subject, "🎉".repeat(100))
      assert.strictEqual((yield* getSpace(space.id)).changeRequests, 1)
    })
  )

  it.effect("knows no day that the calendar lacks, wherever a time is given", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const space = yield* createSpace()
      const site = yield* createSite([])
      const day = "2026-11-31"
      const git = { url: "https://example.com/a.git", ref: "refs/heads/main", timestamp: `${day}T12:00:00Z` }
      const cases: ReadonlyArray<readonly ["GET" | "POST", string, object?]> = [
        ["POST", "/v1/user/tokens", { expiresAt: `${day}T12:00:00Z` }],
        ["POST", `/v1/orgs/${organization}/link-invites`, { role: "read", expiresAt: day }],
        ["GET", `/v1/orgs/${organization}/audit-events?from=${day}`],
        ["GET", `/v1/orgs/${organization}/audit-events?to=${day}T12:00:00%2B02:00`],
        [
          "POST",
          `/v1/orgs/${organization}/sites/${site.id}/insights/events/aggregate`,
          { range: { from: day, to: day } }
        ],
        ["POST", `/v1/spaces/${space.id}/git/import`, git]
      ]
      for (const [method, path, body] of cases) {
        const { issues } = yield* call("admin", method, path, body).pipe(refused(400))
        assert.include(issues?.[0]?.message, `there is no ${day}`, path)
      }
    })
  )

  it.effect("refuses wrong types, unknown values and ill-formed text, and says where", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const space = yield* createSpace({ title: "Untouched" })
      const path = `/v1/spaces/${space.id}`
      const { number } = yield* openChangeRequest(space.id)
      const cases: ReadonlyArray<readonly ["PATCH" | "POST", string, Record<string, unknown>]> = [
        ["PATCH", path, { title: 1 }],
        ["PATCH", path, { title: ["x"] }],
        ["PATCH", path, { title: "\ud800" }],
        ["PATCH", path, { title: "nul \u0000" }],
        ["PATCH", path, { editMode: "frozen" }],
        ["PATCH", path, { visibility: "secret" }],
        ["PATCH", path, { language: "xx" }],
        ["PATCH", path, { defaultLevel: "owner" }],
        ["PATCH", path, { defaultLevel: 1 }],
        ["POST", `/v1/orgs/${organization}/spaces`, { language: "EN" }],
        ["PATCH", `${path}/change-requests/${number}`, { status: "merged" }],
        ["PATCH", `${path}/change-requests/${number}`, { status: "closed" }],
        ["PATCH", `${path}/change-requests/${number}`, { subject: {} }],
        ["PATCH", `${path}/change-requests/${number}`, { description: "text" }],
        ["PATCH", `${path}/change-requests/${number}`, { description: { object: "document", nodes: "x" } }],
        ["POST", `${path}/change-requests`, { agentTaskId: 7 }],
        ["POST", "/v1/orgs", { title: "x" }],
        ["POST", "/v1/orgs", { title: " padded" }],
        ["POST", "/v1/orgs", { title: "🎉".repeat(256) }],
        ["PATCH", `/v1/orgs/${organization}`, { hostname: "Not-Valid" }],
        ["PATCH", `/v1/orgs/${organization}`, { hostname: "ab" }],
        ["PATCH", `/v1/orgs/${organization}`, { defaultRole: "guest" }],
        ["PATCH", `/v1/orgs/${organization}`, { emailDomains: Array.from({ length: 101 }, () => "x.example") }]
      ]
      for (const [method, at, body] of cases) {
        const { issues } = yield* call("admin", method, at, body).pipe(refused(400))
        const field = Object.keys(body)[0] ?? ""
        assert.isTrue(issues?.[0]?.path.startsWith(`body.${field}`), `${issues?.[0]?.path} is not body.${field}`)
      }
      const { visibility, changeRequests, title } = yield* getSpace(space.id)
      assert.deepEqual([visibility, changeRequests, title], ["private", 1, "Untouched"])
      yield* call("admin", "PATCH", path, { visibility: "in-collection" }).pipe(refused(400))
    })
  )

  it.effect("refuses query parameters that are none", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path, top } = yield* prepare
      for (const query of ["?format=html", "?format=", "?evaluated=maybe", "?metadata=yes", "?computed=1x"]) {
        yield* call("admin", "GET", `${path}/content/page/${top}${query}`).pipe(refused(400))
      }
      yield* call("admin", "POST", `${path}/content?compat=perhaps`, { changes: [insertPage("X")] }).pipe(refused(400))
      yield* call("admin", "GET", `${path}/changes?limit=0`).pipe(refused(400))
    })
  )

  const wrongBatches: ReadonlyArray<readonly [name: string, status: number, changes: ReadonlyArray<unknown>]> = [
    ["an unknown operation", 400, [{ operation: "destroy_page", page: "x" }]],
    ["a page that is not there", 404, [{ operation: "update_page", page: "unknown", title: "X" }]],
    [
      "a page deleted twice",
      404,
      [
        { operation: "delete_page", page: "TOP" },
        { operation: "delete_page", page: "TOP" }
      ]
    ],
    ["a parent that is not there", 404, [insertPage("X", "", { into: "unknown" })]],
    ["the same ref twice", 400, [insertPage("X", "", { ref: "same" }), insertPage("Y", "", { ref: "same" })]],
    [
      "a ref that is used before its page",
      404,
      [{ operation: "update_page", page: "later", title: "X" }, insertPage("later")]
    ],
    ["a slug that is taken", 409, [insertPage("X", "", { slug: "top" })]],
    ["a slug that differs in case alone", 409, [insertPage("X", "", { slug: "TOP" })]],
    ["a slug that is none", 400, [insertPage("X", "", { slug: "a/b" })]],
    ["a slug with a control character", 400, [insertPage("X", "", { slug: "a\u001bb" })]],
    ["a slug of dots", 400, [insertPage("X", "", { slug: ".." })]],
    ["a page moved below itself", 409, [{ operation: "update_page", page: "TOP", into: "BOTTOM" }]],
    ["a page moved into itself", 409, [{ operation: "update_page", page: "TOP", into: "TOP" }]],
    ["a title that is too long", 400, [insertPage("x".repeat(257))]],
    ["a negative place", 400, [insertPage("X", "", { at: -1 })]],
    ["a document that is none", 400, [{ operation: "insert_page", document: { document: [1] } }]],
    [
      "a document for a link",
      400,
      [insertPage("X", "", { type: "link", target: { kind: "url", url: "https://x.example" } })]
    ],
    ["a condition that can't be read", 400, [insertPage("X", "", { condition: "visitor.claims.plan ==" })]],
    ["one that is no condition", 400, [{ operation: "update_page", page: "TOP", condition: "process.exit()" }]],
    ["a link that leads nowhere", 400, [{ operation: "insert_page", type: "link", title: "X" }]],
    ["a file that is no base64", 400, [{ operation: "insert_files", files: [{ name: "x", base64: "!!!" }] }]],
    ["a file without bytes", 400, [{ operation: "insert_files", files: [{ name: "x" }] }]],
    [
      "a file from somewhere else",
      400,
      [{ operation: "insert_files", files: [{ name: "x", url: "http://127.0.0.1/" }] }]
    ],
    ["no file", 400, [{ operation: "insert_files", files: [] }]],
    [
      "21 files",
      400,
      [{ operation: "insert_files", files: Array.from({ length: 21 }, () => ({ name: "x", base64: "" })) }]
    ],
    ["a file over 1 MiB", 400, [{ operation: "insert_files", files: [{ name: "x", base64: "A".repeat(1_398_108) }] }]],
    ["a variable without a name", 400, [{ operation: "set_variables", variables: { "": "x" } }]],
    ["a revision that is not there", 400, [{ operation: "revert_page", page: "TOP", revision: "unknown" }]],
    ["ill-formed Markdown", 400, [{ operation: "insert_page", title: "X", document: { markdown: "lone \ud800" } }]],
    [
      "ill-formed text in a document",
      400,
      [{ operation: "insert_page", title: "X", document: { document: textDocument("\udc00") } }]
    ],
    ["an ill-formed revision", 400, [{ operation: "revert_page", page: "TOP", revision: "\ud800" }]],
    [
      "an ill-formed target",
      400,
      [{ operation: "insert_page", type: "link", title: "X", target: { kind: "url", url: "\ud800" } }]
    ]
  ]
  it.effect.each(wrongBatches)("stores nothing of a batch whose last change is wrong: %s", ([, status, changes]) =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, id, path, top, bottom } = yield* prepare
      const before = yield* getChangeRequest(space, id)
      const named = JSON.parse(
        JSON.stringify(changes).replaceAll(`"TOP"`, `"${top}"`).replaceAll(`"BOTTOM"`, `"${bottom}"`)
      ) as ReadonlyArray<unknown>
      const good = [insertPage("Good"), { operation: "update_page", page: top, title: "Changed" }]
      // The slug that differs in case alone is written as the placeholder of a page: put it back.
      const all = [...good, ...named].map((change) => asSent(change, top))
      const { issues, message } = yield* batch(path, all).pipe(refused(status))
      if (status === 400) assert.match(issues?.[0]?.path ?? "", /^body\.changes\[\d+\]/, message)
      assert.deepStrictEqual(yield* getChangeRequest(space, id), before)
      const { pages } = yield* call("admin", "GET", `${path}/content/pages`).pipe(answers(200, Shapes.Pages))
      assert.deepStrictEqual(
        pages.map(({ title }) => title),
        ["Top", "Other"]
      )
    })
  )

  it.effect("takes 1 to 50 changes", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const { number } = yield* openChangeRequest(id)
      const path = `/v1/spaces/${id}/change-requests/${number}`
      const pages = Array.from({ length: 51 }, (_, i) => insertPage(`Page ${i}`))
      yield* batch(path, pages).pipe(refused(400))
      yield* batch(path, []).pipe(refused(400))
      yield* batch(path, {}).pipe(refused(400))
      yield* batch(path, pages.slice(0, 50)).pipe(has(200))
      const tree = yield* call("admin", "GET", `${path}/content/pages`).pipe(answers(200, Shapes.Pages))
      assert.strictEqual(tree.pages.length, 50)
    })
  )

  const line = 1024 * 1024
  const hostile: ReadonlyArray<readonly [name: string, markdown: string]> = [
    ["1 MiB on one line", "word ".repeat(line / 5)],
    ["100,000 brackets", "[".repeat(100_000)],
    ["100,000 quotes", ">".repeat(100_000)],
    ["100,000 stars and underscores", "*_".repeat(50_000)],
    ["100,000 backticks", "`a``b".repeat(20_000)],
    ["300 lists in one another", Array.from({ length: 300 }, (_, i) => `${"  ".repeat(i)}- x`).join("\n")],
    ["unclosed tags", `{% hint %}\n`.repeat(10_000)],
    ["soup of tags", `{% {% %} %}`.repeat(10_000)],
    ["links that nest", `${"[a](".repeat(5000)}x${")".repeat(5000)}`],
    ["a table of one long row", `|${"a|".repeat(5000)}\n|${"-|".repeat(5000)}\n`],
    ["control characters", `a\u0000b\u0001\u001b[0m\u2028\u202e`]
  ]
  it.effect.each(hostile)("takes hostile Markdown as text, or refuses it: %s", ([, markdown]) =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const { number } = yield* openChangeRequest(id)
      const path = `/v1/spaces/${id}/change-requests/${number}`
      const answer = yield* batch(path, [{ operation: "insert_page", title: "Hostile", document: { markdown } }])
      assert.include([200, 400], answer.status)
      const { pages } = yield* call("admin", "GET", `${path}/content/pages`).pipe(answers(200, Shapes.Pages))
      if (answer.status === 400) return assert.strictEqual(pages.length, 0)
      const page = yield* pageOf(`${path}/content`, pages[0]?.id ?? "")
      const words = (text: string) => text.replace(/[^a-z]/g, "").length
      assert.isAtLeast(words(page.markdown ?? ""), words(markdown))
    })
  )
})

const textDocument = (text: string) => ({
  object: "document",
  data: { schemaVersion: 8 },
  nodes: [
    { object: "block", type: "paragraph", nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }] }
  ]
})

const asSent = (change: unknown, top: string): unknown => {
  const { slug, ...rest } = change as { readonly slug?: unknown }
  return slug === top ? { ...rest, slug: "TOP" } : change
}
