/**
 * Every value of every body, and every query parameter, replaced by what nobody expects: each is
 * taken or refused, never an internal error (the harness sees to that), and what was taken can be
 * read back.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, type Method, onEachAdapter } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSpace, insertPage, openChangeRequest, publish } from "./Steps.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

const hostile: ReadonlyArray<Json> = [
  null,
  true,
  -1,
  1.5,
  1e300,
  "",
  "x",
  "\ud800",
  "\u0000",
  "x".repeat(10_000),
  "../..",
  "__proto__",
  [],
  [[]],
  {},
  { __proto: {} },
  [null],
  ["x", 1]
]

/** The body with one of its values replaced, for each of them. */
function* replaced(body: Json, value: Json): Generator<Json> {
  yield value
  if (body === null || typeof body !== "object") return
  for (const [key, inner] of Object.entries(body)) {
    for (const changed of replaced(inner, value)) {
      yield Array.isArray(body) ? body.with(Number(key), changed) : { ...body, [key]: changed }
    }
  }
}

const rich: Json = {
  object: "document",
  data: { schemaVersion: 8 },
  nodes: [
    {
      object: "block",
      type: "hint",
      key: "a",
      data: { style: "info" },
      nodes: [
        {
          object: "block",
          type: "paragraph",
          key: "b",
          nodes: [
            { object: "text", leaves: [{ object: "leaf", text: "x", marks: [{ object: "mark", type: "bold" }] }] },
            { object: "inline", type: "link", data: { ref: { kind: "url", url: "x" } }, nodes: [] }
          ]
        }
      ]
    }
  ]
}

const changesOf = (page: string): ReadonlyArray<Json> => [
  {
    operation: "insert_page",
    type: "document",
    title: "T",
    slug: "s",
    emoji: "🎉",
    icon: "i",
    description: "d",
    hidden: true,
    condition: "c",
    into: page,
    at: 0,
    ref: "r",
    document: { markdown: "[x](/pages/r)" }
  },
  { operation: "update_page", page, title: "T", into: null, at: 1, document: { document: rich } },
  { operation: "insert_page", type: "link", title: "L", target: { kind: "page", page, space: "s" } },
  { operation: "insert_files", files: [{ name: "n.txt", ref: "f", contentType: "text/plain", base64: "eA==" }] },
  { operation: "set_variables", variables: { name: "value" } },
  { operation: "upsert_reusable_content", title: "R", ref: "u", document: { markdown: "x" } },
  { operation: "revert_page", page, block: ["a"] },
  { operation: "delete_page", page: "r" }
]

onEachAdapter("Hostile values", (it) => {
  const everything = Effect.fnUntraced(function* (method: Method, path: string, body: Json) {
    const { call } = yield* Harness
    for (const value of hostile) {
      for (const changed of replaced(body, value)) {
        const { status, text } = yield* call("admin", method, path, JSON.stringify(changed))
        assert.include([200, 201, 400, 404, 409], status, `${JSON.stringify(changed).slice(0, 500)}: ${text}`)
      }
    }
  })

  it.effect("in what is written to a change request", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { idOf } = yield* publish(space, [insertPage("Page", "Text")])
      const page = idOf("Page")
      for (const change of changesOf(page)) {
        const { id } = yield* openChangeRequest(space)
        const path = `/v1/spaces/${space}/change-requests/${id}`
        yield* everything("POST", `${path}/content?compat=false`, { changes: [change] })
        const revision = yield* call("admin", "GET", `${path}/content`).pipe(answers(200, Shapes.Revision))
        yield* call("admin", "GET", `${path}/changes`).pipe(answers(200, Shapes.ChangeRequestChanges))
        for (const { id } of revision.pages) {
          yield* call("admin", "GET", `${path}/content/page/${id}`).pipe(answers(200, Shapes.Page))
          yield* call("admin", "GET", `${path}/content/page/${id}?format=document`).pipe(answers(200, Shapes.Page))
        }
        for (const { downloadURL } of revision.files) yield* call("nobody", "GET", downloadURL).pipe(has(200))
        yield* call("admin", "POST", `${path}/merge`).pipe(answers(200, Shapes.MergeResult))
      }
      yield* call("admin", "GET", `/v1/spaces/${space}/content`).pipe(answers(200, Shapes.Revision))
    })
  )

  it.effect("in what is said of organizations, spaces and change requests", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id } = yield* openChangeRequest(space)
      const path = `/v1/spaces/${space}`
      const settings = { title: "T", emoji: "🎉", language: "en", editMode: "live" }
      yield* everything("POST", `/v1/orgs/${organization}/spaces`, settings)
      yield* everything("PATCH", path, { ...settings, visibility: "public", defaultLevel: "read" })
      yield* everything("POST", `${path}/change-requests`, { subject: "S", agentTaskId: "a" })
      yield* everything("PATCH", `${path}/change-requests/${id}`, { subject: "S", status: "open", description: rich })
      yield* everything("POST", `${path}/change-requests/${id}/conflicts/x`, { keep: "main" })
      yield* everything("POST", "/v1/orgs", { title: "Own", emailDomains: ["x.example"] })
      yield* everything("PATCH", `/v1/orgs/${organization}`, {
        title: "Acme",
        hostname: "acme",
        emailDomains: ["x.example"],
        defaultRole: "read",
        defaultContent: { type: "site", site: "s" },
        logo: "l",
        sso: true
      })
      yield* call("admin", "GET", "/v1/orgs?limit=1000").pipe(answers(200, Shapes.listOf(Shapes.Organization)))
      const spaces = yield* call("admin", "GET", `/v1/orgs/${organization}/spaces?limit=1000`).pipe(
        answers(200, Shapes.listOf(Shapes.Space))
      )
      assert.isAbove(spaces.count, 1)
      yield* call("admin", "GET", `${path}/change-requests?status=all&limit=1000`).pipe(
        answers(200, Shapes.listOf(Shapes.ChangeRequest))
      )
    })
  )

  it.effect("in queries", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: space } = yield* createSpace()
      const { idOf, revision } = yield* publish(space, [insertPage("Page", "Text")])
      const reads: ReadonlyArray<readonly [path: string, parameters: ReadonlyArray<string>]> = [
        [`/v1/orgs/${organization}/spaces`, ["page", "limit"]],
        [`/v1/orgs/${organization}/change-requests`, ["page", "limit", "status", "contributor"]],
        [`/v1/spaces/${space}`, ["shareKey"]],
        [`/v1/spaces/${space}/change-requests`, ["page", "limit", "status", "contributor"]],
        [`/v1/spaces/${space}/content`, ["metadata", "computed"]],
        [`/v1/spaces/${space}/content/files`, ["page", "limit", "metadata", "computed"]],
        [`/v1/spaces/${space}/content/page/${idOf("Page")}`, ["format", "evaluated", "metadata", "computed"]],
        [`/v1/spaces/${space}/revisions/${revision}/changes`, ["limit"]]
      ]
      const values = [
        "",
        "%00",
        "%",
        "%ff",
        "%ED%A0%80",
        "x".repeat(5000),
        "[]",
        "null",
        "true",
        "-0",
        "0x10",
        "%2B1",
        "1e2"
      ]
      for (const [path, parameters] of reads) {
        for (const parameter of parameters) {
          for (const value of values) {
            for (const query of [
              `${parameter}=${value}`,
              `${parameter}[]=${value}`,
              `${parameter}=${value}&${parameter}=x`
            ]) {
              const { status } = yield* call("admin", "GET", `${path}?${query}`)
              assert.include([200, 400], status, query)
            }
          }
        }
        yield* call("admin", "GET", `${path}?${"a=1&".repeat(1000)}`).pipe(has(200))
        yield* call("admin", "GET", `${path}?`).pipe(has(200))
      }
    })
  )
})
