/** Titles and names that people write: each stands on one line, wherever it is told. */
import { SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, onMemory, refused } from "./Harness.ts"
import { freshName, manifest } from "./IntegrationSteps.ts"
import { addSection, createSite, json } from "./SiteSteps.ts"
import { createCollection, createSpace, createTeam, insertPage, openChangeRequest, write } from "./Steps.ts"

const wrong = ["a\nb", "a\r\nb", "a\tb", "a\u001bb", "a\u0085b", "a\u2028b", " ab", "ab ", "ab\n", "  "]
const right = ["Über uns  & mehr", "订阅 🎉", "سلام\u200f"]

type Write = readonly [
  method: "POST" | "PUT" | "PATCH",
  path: string,
  body: (title: string) => unknown,
  /** Path of the issue. */
  at: string
]

const writes = Effect.gen(function* () {
  const { organization } = yield* Harness
  const org = `/v1/orgs/${organization}`
  const { id: space } = yield* createSpace()
  const { id: changeRequest } = yield* openChangeRequest(space)
  const { idOf } = yield* write(space, changeRequest, [insertPage("Page")])
  const { id: collection } = yield* createCollection()
  const { id: site } = yield* createSite([space])
  const { id: section } = yield* addSection(site, (yield* createSpace()).id, "Section")
  const team = yield* createTeam
  const name = yield* freshName
  const publishes = (more: (title: string) => object, at: string): Write => [
    "POST",
    `/v1/integrations/${name}`,
    (title) => ({ ...manifest, organization, ...more(title) }),
    `body.${at}`
  ]
  const changes = (change: (title: string) => object, at: string): Write => [
    "POST",
    `/v1/spaces/${space}/change-requests/${changeRequest}/content`,
    (title) => ({ changes: [change(title)] }),
    `body.changes[0].${at}`
  ]
  const titled = (title: string) => ({ title })
  const ofSite = `${org}/sites/${site}`
  const all: ReadonlyArray<Write> = [
    changes((title) => ({ operation: "insert_page", title }), "title"),
    changes((linkTitle) => ({ operation: "insert_page", title: "x", linkTitle }), "linkTitle"),
    changes((title) => ({ operation: "update_page", page: idOf("Page"), title }), "title"),
    changes((title) => ({ operation: "upsert_reusable_content", title }), "title"),
    ["POST", `${org}/spaces`, titled, "body.title"],
    ["PATCH", `/v1/spaces/${space}`, titled, "body.title"],
    ["POST", `${org}/collections`, titled, "body.title"],
    ["PATCH", `/v1/collections/${collection}`, titled, "body.title"],
    ["POST", `${org}/sites`, titled, "body.title"],
    ["PATCH", ofSite, titled, "body.title"],
    ["POST", `${ofSite}/sections`, (title) => ({ spaceId: space, title }), "body.title"],
    ["PATCH", `${ofSite}/sections/${section}`, titled, "body.title"],
    ["POST", `${ofSite}/section-groups`, titled, "body.title"],
    ["POST", `${ofSite}/share-links`, (name) => ({ name }), "body.name"],
    ["PUT", `${ofSite}/customization`, titled, "body.title"],
    [
      "PUT",
      `${ofSite}/customization`,
      (title) => ({ header: { links: [{ title, to: null, links: [] }] } }),
      "body.header.links[0].title"
    ],
    [
      "PUT",
      `${ofSite}/customization`,
      (title) => ({ footer: { groups: [{ title, links: [] }] } }),
      "body.footer.groups[0].title"
    ],
    ["PUT", `${org}/teams`, titled, "body.title"],
    ["PATCH", `${org}/teams/${team}`, titled, "body.title"],
    ["POST", "/v1/orgs", titled, "body.title"],
    ["PATCH", org, titled, "body.title"],
    ["POST", `/v1/spaces/${space}/change-requests`, (subject) => ({ subject }), "body.subject"],
    ["PATCH", `/v1/spaces/${space}/change-requests/${changeRequest}`, (subject) => ({ subject }), "body.subject"],
    ["POST", "/v1/user/tokens", (name) => ({ name }), "body.name"],
    ["PATCH", "/v1/user", (displayName) => ({ displayName }), "body.displayName"],
    ["POST", `${org}/saml`, (label) => ({ label }), "body.label"],
    ["POST", `${org}/oidc`, (label) => ({ label }), "body.label"],
    publishes((title) => ({ title }), "title"),
    publishes((title) => ({ blocks: [{ id: "x", title }] }), "blocks[0].title"),
    publishes((label) => ({ externalLinks: [{ url: "https://example.com", label }] }), "externalLinks[0].label")
  ]
  return { all, space }
})

onMemory("Titles and names", (it) => {
  it.effect("are refused where they aren't one line of text", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { all } = yield* writes
      for (const [i, [method, path, body, at]] of all.entries()) {
        // Two of the wrong ones for each, in turns: all are told by one schema.
        for (const title of [wrong[0]!, wrong[1 + (i % (wrong.length - 1))]!]) {
          const { issues } = yield* call("admin", method, path, body(title)).pipe(refused(400))
          const message = "Expected one line of text, without control characters or space around it"
          assert.deepStrictEqual(issues, [{ path: at, message }], `${method} ${path} ${JSON.stringify(title)}`)
        }
        const title = right[i % right.length]!
        const { status, text } = yield* call("admin", method, path, body(title))
        assert.include([200, 201], status, text)
        if (at === "body.title" && !text.includes("integration")) assert.include(text, title)
      }
    })
  )

  it.effect("are described so", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { components } = yield* call("nobody", "GET", "/openapi.json").pipe(json(200))
      const { pattern, description } = components.schemas.SpaceCreate.properties.title
      assert.strictEqual(description, "One line of text, without control characters or space around it.")
      const isLine = new RegExp(pattern, "u")
      assert.deepStrictEqual(
        [...wrong, ...right].filter((title) => isLine.test(title)),
        right
      )
    })
  )

  it.effect("that are made of longer ones end as others do", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const title = `${"x".repeat(49)} site`
      const { id } = yield* call("admin", "POST", `/v1/orgs/${organization}/sites`, { title, spaces: "empty" }).pipe(
        json(201)
      )
      const { items } = yield* call("admin", "GET", `/v1/orgs/${organization}/sites/${id}/site-spaces`).pipe(json(200))
      assert.strictEqual(items[0].space.title, "x".repeat(49))
    })
  )

  it.effect("that were stored before are read, and stand in the way of nothing", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const spaces = (yield* Storage).repository(SpaceTable)
      yield* spaces.update({ id: SpaceId.make(id) }, { title: " a\nb" })
      const path = `/v1/spaces/${id}`
      assert.strictEqual((yield* call("admin", "GET", path).pipe(json(200))).title, " a\nb")
      assert.strictEqual((yield* call("admin", "PATCH", path, { emoji: "🚀" }).pipe(json(200))).title, " a\nb")
      assert.strictEqual((yield* call("admin", "POST", `${path}/duplicate`, {}).pipe(json(201))).title, "a b (copy)")
    })
  )
})
