/**
 * Every value of every body, and every query parameter, replaced by what nobody expects: each is
 * taken or refused, never an internal error (the harness sees to that), and what was taken can be
 * read back.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as DiscussionShapes from "./DiscussionShapes.ts"
import { answers, Harness, has, type Method, onEachAdapter } from "./Harness.ts"
import { OpenApiSpec, ofSpecs } from "./OpenApiSteps.ts"
import * as Shapes from "./Shapes.ts"
import { OidcProvider, SamlProvider, SsoLogins } from "./SignOnShapes.ts"
import { Translation } from "./TranslationShapes.ts"
import { createSite, pathOfSite } from "./SiteSteps.ts"
import { createSpace, insertPage, openChangeRequest, publish } from "./Steps.ts"
import { makeThings } from "./Things.ts"

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

const computed = (props: Json): Json => ({
  type: "builtin:openapi",
  dependencies: { spec: { ref: { kind: "openapi", spec: "s" } } },
  props
})

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
  { operation: "update_page", page, variables: { name: "value" } },
  { operation: "insert_page", type: "computed", title: "C", computed: computed({ models: true, grouping: "by-tag" }) },
  { operation: "insert_page", title: "C", computed: computed({ doc: "operation", page: "/p", method: "get" }) },
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
        assert.include([200, 201, 204, 400, 404, 409], status, `${JSON.stringify(changed).slice(0, 500)}: ${text}`)
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
          yield* call("admin", "GET", `${path}/content/page/${id}?evaluated=true`).pipe(answers(200, Shapes.Page))
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
      const template = { id: "changelog", params: { contentRefs: { cover: { kind: "file", file: "f" } } } }
      yield* everything("POST", `/v1/orgs/${organization}/spaces`, { ...settings, template })
      yield* everything("PATCH", path, { ...settings, visibility: "public", defaultLevel: "read" })
      yield* everything("POST", `${path}/change-requests`, { subject: "S", agentTaskId: "a", template })
      yield* everything("PATCH", `${path}/change-requests/${id}`, { subject: "S", status: "open", description: rich })
      yield* everything("POST", `${path}/change-requests/${id}/conflicts/x`, { keep: "main" })
      const place = { url: "https://example.com/a", ref: "refs/heads/main", repoProjectDirectory: "docs" }
      const shown = { repoTreeURL: "https://example.com/t", repoCommitURL: "https://example.com/c" }
      const gitImport = { ...place, ...shown, timestamp: "2026-01-01T00:00:00Z", force: true, standalone: false }
      yield* everything("POST", `${path}/git/import`, gitImport)
      yield* everything("POST", `${path}/git/export`, { ...gitImport, force: false, commitMessage: "Update" })
      const file = { kind: "file", file: "f" }
      yield* everything("POST", `${path}/content/template`, {
        id: "changelog",
        params: { contentRefs: { cover: file } }
      })
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

  it.effect("in what is said of sites", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const things = yield* makeThings
      const path = yield* pathOfSite(things.site)
      const siteSpace = { type: "site-space", id: things.siteSpace }
      const section = { type: "site-section", id: things.section }
      const bodies: ReadonlyArray<readonly [Method, string, Json]> = [
        [
          "PATCH",
          "",
          {
            title: "Site",
            visibility: "public",
            basename: `b-${things.site}`,
            hostname: things.hostname,
            proxy: "www.example.com/docs",
            adaptiveContent: { enabled: true },
            agentsContext: "included",
            defaultSiteSpace: things.siteSpace,
            defaultSiteSection: things.section
          }
        ],
        ["PATCH", "/structure/sort", { item: section, position: { before: section, after: siteSpace } }],
        ["POST", "/permissions", { users: [users.admin], teams: [things.team], role: "read" }],
        [
          "PATCH",
          `/sections/${things.section}`,
          { title: "T-T", path: "p", icon: "i", description: "d", condition: "1" }
        ],
        ["PATCH", `/sections/${things.section}`, { defaultSiteSpace: things.siteSpace }],
        [
          "POST",
          `/sections/${things.section}/move`,
          { position: { before: { type: "site-section", siteSection: "x" } } }
        ],
        ["PATCH", `/section-groups/${things.group}`, { title: "G", icon: "i" }],
        ["POST", `/section-groups/${things.group}/sections`, { sectionId: things.section }],
        ["POST", `/section-groups/${things.group}/move`, { position: { after: section } }],
        ["PATCH", `/site-spaces/${things.siteSpace}`, { path: "p", condition: "1", spaceId: things.space }],
        [
          "POST",
          `/site-spaces/${things.siteSpace}/move`,
          { position: { after: { type: "site-space", siteSpace: "x" } } }
        ],
        ["PATCH", `/share-links/${things.link}`, { name: "L", active: true }],
        ["PATCH", "/publishing/auth", { backend: "custom", fallbackURL: "https://example.com/" }],
        [
          "PUT",
          "/adaptive-schema",
          {
            jsonSchema: {
              type: "object",
              properties: { a: { type: "string", enum: ["x"], description: "d" } },
              additionalProperties: false
            }
          }
        ],
        [
          "PUT",
          "/customization",
          { title: "T-T", styling: { theme: "bold", tint: { color: { light: "#fff", dark: "#000" } } } }
        ],
        [
          "PATCH",
          `/site-spaces/${things.siteSpace}/customization`,
          { header: { links: [{ title: "L", to: null, links: [] }] } }
        ],
        [
          "PATCH",
          `/redirects/${things.redirect}`,
          { source: "/old", destination: { kind: "site-page", siteSpaceId: things.siteSpace, pageId: things.page } }
        ]
      ]
      for (const [method, at, body] of bodies) yield* everything(method, path + at, body)
      // Those that make something have a site of their own, which fills up.
      const { id } = yield* createSite([])
      const own = yield* pathOfSite(id)
      const destination = { kind: "site-section", siteSectionId: "x" }
      yield* everything("POST", `${own}/sections`, { spaceId: things.space, title: "T-T", icon: "i" })
      yield* everything("POST", `${own}/section-groups`, { title: "G", icon: "i", sections: [things.section] })
      yield* everything("POST", `${own}/site-spaces`, { spaceId: things.space, sectionId: things.section })
      yield* everything("POST", `${own}/share-links`, { name: "L" })
      yield* everything("POST", `${own}/redirects`, { source: "/x", destination })
      yield* everything("POST", `/v1/orgs/${organization}/sites`, {
        type: "basic",
        title: "Site",
        visibility: "public",
        spaces: [things.space]
      })
      yield* everything("POST", "/v1/urls/published", {
        url: `https://${things.hostname}/page`,
        visitor: { jwtToken: "a.b.c", unsignedClaims: { plan: "pro" } },
        redirectOnError: true
      })
      for (const at of [path, own]) {
        yield* call("admin", "GET", at).pipe(answers(200, Shapes.Site))
        yield* call("admin", "GET", `${at}/structure`).pipe(answers(200, Shapes.Structure))
        yield* call("admin", "GET", `${at}/customization`).pipe(answers(200, Shapes.Customization))
        yield* call("admin", "GET", `${at}/adaptive-schema`).pipe(answers(200, Shapes.AdaptiveSchema))
        yield* call("admin", "GET", `${at}/publishing/auth`).pipe(answers(200, Shapes.PublishingAuth))
        for (const [list, shape] of [
          ["sections", Shapes.SiteSection],
          ["section-groups", Shapes.SiteSectionGroup],
          ["site-spaces", Shapes.SiteSpace],
          ["share-links", Shapes.ShareLink],
          ["redirects", Shapes.Redirect]
        ] as const) {
          yield* call("admin", "GET", `${at}/${list}?limit=1000`).pipe(answers(200, Shapes.listOf<typeof shape>(shape)))
        }
      }
      yield* call("admin", "GET", `/v1/orgs/${organization}/sites?limit=1000`).pipe(
        answers(200, Shapes.listOf(Shapes.Site))
      )
    })
  )

  it.effect("in what people say to each other, and of teams", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const things = yield* makeThings
      const body = { markdown: "Said" }
      const cell = { record: "r1", definition: "c1" }
      const space = `/v1/spaces/${things.space}`
      const request = `${space}/change-requests/${things.cr}`
      const discussions = [
        [space, things.comment, things.reply],
        [request, things.crComment, things.crReply]
      ] as const
      for (const [scope, comment, reply] of discussions) {
        const path = `${scope}/comments`
        yield* everything("POST", path, { body, page: things.page })
        yield* everything("POST", path, { body: { document: rich }, page: "x", node: "b", tableCell: cell })
        for (const at of [`${path}/${comment}`, `${path}/${comment}/replies/${reply}`]) {
          yield* everything("PUT", at, {
            body: { document: rich },
            resolved: true,
            addedReactions: ["1f44d"],
            removedReactions: ["🎉"]
          })
        }
        yield* everything("POST", `${path}/${comment}/replies`, { body })
        for (const format of ["markdown", "document"]) {
          const query = `?limit=1000&format=${format}`
          yield* call("read", "GET", path + query).pipe(answers(200, Shapes.listOf(DiscussionShapes.Comment)))
          yield* call("read", "GET", `${path}/${comment}/replies${query}`).pipe(
            answers(200, Shapes.listOf(DiscussionShapes.CommentReply))
          )
        }
      }
      yield* everything("POST", `${request}/reviews`, { status: "approved", comment: body })
      yield* everything("POST", `${request}/requested-reviewers`, {
        users: [users.review],
        subject: "S",
        description: rich
      })
      yield* call("read", "GET", `${request}/reviews?limit=1000`).pipe(
        answers(200, Shapes.listOf(DiscussionShapes.Review))
      )
      yield* everything("PUT", `${request}/checks/build`, {
        state: "passed",
        url: "https://ci.example.com/1",
        text: "T",
        revision: "R"
      })
      const teams = `/v1/orgs/${organization}/teams`
      yield* everything("PUT", teams, { title: "T", members: [users.read] })
      yield* everything("PATCH", `${teams}/${things.team}`, { title: "T" })
      yield* everything("PUT", `${teams}/${things.team}/members`, {
        add: [users.read],
        memberships: { [users.edit]: { role: "owner" } },
        remove: [users.read]
      })
      yield* everything("PUT", `${teams}/${things.team}/members/${users.read}`, { role: "owner" })
      yield* call("read", "GET", `${teams}?limit=1000`).pipe(answers(200, Shapes.listOf(Shapes.Team)))
    })
  )

  it.effect("in what is said of specs", () =>
    Effect.gen(function* () {
      const { spec } = yield* makeThings
      const specs = `/v1/orgs/${(yield* Harness).organization}/openapi`
      for (const source of [{ url: "https://example.com/openapi.json" }, { text: "{}" }]) {
        yield* everything("POST", specs, { slug: "s", source })
        yield* everything("PUT", `${specs}/${spec}`, { source })
      }
      yield* everything("PATCH", `${specs}/${spec}`, { visibility: "public" })
      yield* ofSpecs("GET", "?limit=1000").pipe(answers(200, Shapes.listOf(OpenApiSpec)))
    })
  )

  it.effect("in what is said of translations", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { space, translation } = yield* makeThings
      const translations = `/v1/orgs/${organization}/translations`
      const instructions = { markdown: "Say **du**." }
      yield* everything("POST", translations, { language: "de", source: { space, language: "en" }, instructions })
      yield* everything("PUT", `${translations}/${translation}`, { instructions })
      yield* call("admin", "GET", `${translations}?limit=1000`).pipe(answers(200, Shapes.listOf(Translation)))
    })
  )

  it.effect("in what is said of sign-on", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { provider, team } = yield* makeThings
      const saml = `/v1/orgs/${organization}/saml`
      const body = {
        label: "L",
        ssoURL: "https://idp.example.com/sso",
        entityID: "idp",
        certificate: "c",
        defaultTeam: team,
        defaultRole: "read"
      }
      yield* everything("POST", saml, body)
      yield* everything("PATCH", `${saml}/${provider}`, body)
      yield* call("admin", "GET", `${saml}?limit=1000`).pipe(answers(200, Shapes.listOf(SamlProvider)))
      yield* call("admin", "GET", `/v1/orgs/${organization}/sso`).pipe(answers(200, SsoLogins))
    })
  )

  it.effect("in what is said of sign-on by OpenID Connect", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { oidcProvider, team } = yield* makeThings
      const oidc = `/v1/orgs/${organization}/oidc`
      const body = {
        label: "L",
        issuer: "https://idp.example.com",
        clientID: "lectern",
        clientSecret: "secret",
        scopes: ["openid", "email"],
        emailDomains: ["example.com"],
        emailVerifiedClaim: "email_verified",
        groupsClaim: "groups",
        groups: [{ group: "staff", role: "read", teams: [team] }],
        defaultTeam: team,
        defaultRole: "read"
      }
      yield* everything("POST", oidc, body)
      yield* everything("PATCH", `${oidc}/${oidcProvider}`, body)
      yield* call("admin", "GET", `${oidc}?limit=1000`).pipe(answers(200, Shapes.listOf(OidcProvider)))
    })
  )

  it.effect("in queries", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: space } = yield* createSpace()
      const { idOf, revision } = yield* publish(space, [insertPage("Page", "Text")])
      const things = yield* makeThings
      const site = yield* pathOfSite(things.site)
      const request = `/v1/spaces/${things.space}/change-requests/${things.cr}`
      const reads: ReadonlyArray<readonly [path: string, parameters: ReadonlyArray<string>]> = [
        [`/v1/orgs/${organization}/spaces`, ["page", "limit"]],
        [`/v1/orgs/${organization}/change-requests`, ["page", "limit", "status", "contributor"]],
        [`/v1/spaces/${space}`, ["shareKey"]],
        [`/v1/spaces/${space}/change-requests`, ["page", "limit", "status", "contributor"]],
        [`/v1/spaces/${space}/content`, ["metadata", "computed"]],
        [`/v1/spaces/${space}/pdf`, ["page", "only"]],
        [`/v1/spaces/${space}/links`, ["page", "limit", "status"]],
        [`/v1/spaces/${space}/content/page/${idOf("Page")}/links`, ["page", "limit", "status"]],
        [`/v1/spaces/${space}/content/page/${idOf("Page")}/backlinks`, ["page", "limit"]],
        [`/v1/spaces/${space}/content/files`, ["page", "limit", "metadata", "computed"]],
        [`/v1/spaces/${space}/content/page/${idOf("Page")}`, ["format", "evaluated", "metadata", "computed"]],
        [`/v1/spaces/${space}/revisions/${revision}/changes`, ["limit"]],
        [`/v1/spaces/${space}/revisions/${revision}/changes/page/${idOf("Page")}`, ["limit"]],
        [`/v1/orgs/${organization}/teams`, ["page", "limit", "owner", "title"]],
        [`/v1/orgs/${organization}/saml`, ["page", "limit"]],
        [`/v1/orgs/${organization}/oidc`, ["page", "limit"]],
        [`${request}/comments`, ["page", "limit", "order", "status", "format", "targetPage", "authors"]],
        [`${request}/comments/${things.crComment}/replies`, ["page", "limit", "format"]],
        [`${request}/commenters`, ["page", "limit"]],
        [`${request}/reviews`, ["page", "limit", "format", "outdated"]],
        [`${request}/requested-reviewers`, ["page", "limit"]],
        [`/v1/orgs/${organization}/sites`, ["page", "limit", "space", "title", "published"]],
        [`${site}/structure`, ["shareKey"]],
        [`${site}/published`, ["shareKey"]],
        [`${site}/sections`, ["page", "limit", "shareKey"]],
        [`${site}/section-groups`, ["page", "limit"]],
        [`${site}/site-spaces`, ["page", "limit", "shareKey", "default"]],
        [`${site}/share-links`, ["page", "limit"]],
        [`${site}/redirects`, ["page", "limit", "search"]]
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
              // A PDF is of a page that is named: of one that is not there, there is none.
              assert.include(
                path.endsWith("/pdf") && parameter === "page" ? [200, 400, 404] : [200, 400],
                status,
                query
              )
            }
          }
        }
        yield* call("admin", "GET", `${path}?${"a=1&".repeat(1000)}`).pipe(has(200))
        yield* call("admin", "GET", `${path}?`).pipe(has(200))
      }
    })
  )
})
