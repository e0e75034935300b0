/**
 * Nothing unpublished reaches visitors: a space, its site and what is around them hold a mark in every
 * field that there is, and whatever a visitor can read is searched for them, headers and all. What it may
 * read is found by asking for every operation that reads (see `AuthorityTable`), so that a new one is
 * asked for as well.
 */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Tokens } from "@lectern/core/token/Tokens"
import { RevisionId, RevisionTable } from "@lectern/core/content/revisions/Revision"
import * as Folder from "@lectern/core/content/import/Folder"
import { FolderImports } from "@lectern/core/content/import/FolderImports"
import { Organizations } from "@lectern/core/organization/Organizations"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type Audience, audiences } from "./AudienceSites.ts"
import { operations } from "./AuthorityTable.ts"
import { type Answer, Harness, has, onMemory } from "./Harness.ts"
import { installed } from "./IntegrationSteps.ts"
import { createSpec, processed, specText } from "./OpenApiSteps.ts"
import {
  addSection,
  addSiteSpace,
  createShareLink,
  goodToken,
  json,
  ofSite,
  patchSection,
  patchSite,
  patchSiteSpace,
  pathOfSite,
  publishedSite,
  reading,
  resolve,
  siteSpacesOf
} from "./SiteSteps.ts"
import { createCollection, createSpace, insertPage, merge, openChangeRequest, publish, write } from "./Steps.ts"
import { makeThings, type Things } from "./Things.ts"

/** Condition that hides everything unpublished. All of that begins with "secretly", as the claim does. */
const never = 'visitor.claims.secretlyClaim == "secretlyValue"'

const start = [
  "Plainly published text, <b class=secretly>bold</b> <!-- secretlyComment --> and {{ none }}.",
  "",
  '<div onclick="secretlyRaw()">Plainly raw <!-- secretlyInner <b> --> text</div>',
  "",
  "<script>secretlyScript()</script>",
  "",
  "<!-- secretlyBlock -->",
  "",
  "[Plainly linked](javascript:secretlyRun()) and [another](<java\tscript:secretlyTab()>), ![](data:text/html,secretlyData)",
  "",
  "[//]: # (secretlyRemark)",
  "",
  '<code class="expression">space.vars.used</code> <code class="expression">page.vars.used</code>',
  "",
  `{% if ${never} %}`,
  'secretlyHiddenText <code class="expression">space.vars.secretlyConditional</code>',
  "{% else %}",
  "Plainly otherwise",
  "{% endif %}",
  "",
  '{% if space.vars.secretlyFlag == "secretlyFlagValue" %}',
  "Plainly flagged",
  "{% endif %}",
  "",
  '{% embed url="javascript:secretlyEmbed()" %}',
  "",
  "{% plainlyUnknown %}",
  "",
  '{% @plain/block url="vbscript:secretlyIntegration()" %}',
  "",
  '{% include "shared.md" %}'
].join("\n")

const shared = 'Plainly shared, <i onmouseover="secretlyInclude()">with</i> [a link](JavaScript:secretlyIncluded()).'

/** A member whose name and address are marked. */
const makeMember = Effect.gen(function* () {
  const { organization } = yield* Harness
  const { id } = yield* (yield* Users).create({ email: "secretlyMail@example.com", displayName: "secretlyName" })
  yield* (yield* Organizations).join(OrganizationId.make(organization), id, "admin")
  return { token: Redacted.value((yield* (yield* Tokens).create(id)).token) }
})

/** A space with marks wherever there is room for one. */
const makeSpace = Effect.gen(function* () {
  const { call } = yield* Harness
  const member = yield* makeMember
  const collection = yield* createCollection({ title: "secretlyCollection" })
  const { id } = yield* createSpace({ title: "Guide", parent: collection.id })
  const files = Object.entries({
    "README.md": `---\ndescription: Plainly described\nsecretlyFront: secretlyFrontValue\n---\n\n# Start\n\n${start.replace("shared.md", ".gitbook/includes/shared.md")}`,
    "SUMMARY.md": "# Summary\n\n* [Start](README.md)\n",
    ".gitbook/includes/shared.md": `---\ntitle: Shared\n---\n\n${shared}`,
    ".gitbook/includes/unused.md": "---\ntitle: secretlyUnusedInclude\n---\n\nsecretlyUnusedText"
  }).map(([path, text]) => Folder.file(path, text))
  yield* (yield* FolderImports)
    .importFolder(SpaceId.make(id), { files })
    .pipe(Effect.provideService(CurrentActor, host), Effect.orDie)

  const spec = yield* createSpec("secretly-private-spec", specText("secretlySpecTitle"))
  yield* processed(spec.id)
  const computed = {
    type: "builtin:openapi",
    dependencies: { spec: { ref: { kind: "openapi", spec: "secretly-private-spec" } } },
    props: { models: true }
  }
  const { pages } = yield* call("admin", "GET", `/v1/spaces/${id}/content/pages`).pipe(json(200))
  const home: string = pages[0].id
  const { idOf, insertedFiles } = yield* publish(id, [
    { operation: "update_page", page: home, variables: { used: "plainlyPage", secretlyVariable: "secretlyOfPage" } },
    {
      operation: "set_variables",
      variables: {
        used: "plainlySpace",
        secretlyUnused: "secretlyUnusedValue",
        secretlyConditional: "secretlyConditionalValue",
        secretlyFlag: "secretlyFlagValue"
      }
    },
    insertPage("Hidden", "Plainly hidden", { hidden: true, slug: "secretly-former" }),
    insertPage("secretlyConditionalPage", "secretlyConditionalPageText", { condition: never }),
    insertPage("secretlyBelow", "secretlyBelowText", { into: "secretlyConditionalPage" }),
    insertPage("Shown", "Plainly shown", { condition: '!("secretlyClaim" in visitor.claims)' }),
    { operation: "insert_page", type: "computed", title: "API", ref: "API", computed },
    {
      operation: "insert_page",
      type: "link",
      title: "Out",
      ref: "Out",
      target: { kind: "url", url: "javascript:secretlyTarget()" }
    },
    {
      operation: "insert_files",
      files: [
        { name: "secretlyFile.txt", base64: btoa("secretlyFileText") },
        { name: "shown.txt", base64: btoa("shown") }
      ]
    }
  ])
  const [unused, used] = insertedFiles ?? []
  yield* publish(id, [
    {
      operation: "update_page",
      page: idOf("Hidden"),
      slug: "hidden",
      document: { markdown: `Plainly hidden [shown](/files/${used?.id})` }
    }
  ])
  // The work on it: discussions, reviews, drafts, what was merged.
  const said = { body: { markdown: "secretlySaid" } }
  const { id: comment } = yield* call(member, "POST", `/v1/spaces/${id}/comments`, { ...said, page: home }).pipe(
    json(200)
  )
  yield* call(member, "POST", `/v1/spaces/${id}/comments/${comment}/replies`, said).pipe(has(200))
  const open = yield* openChangeRequest(id, { subject: "secretlySubject" })
  yield* write(id, open.id, [
    insertPage("secretlyDraft", "secretlyDraftText"),
    { operation: "update_page", page: home, title: "secretlyRenamed" }
  ])
  yield* call(member, "PATCH", `/v1/spaces/${id}/change-requests/${open.id}`, { status: "open" }).pipe(has(200))
  yield* call(member, "POST", `/v1/spaces/${id}/change-requests/${open.id}/comments`, said).pipe(has(200))
  const review = { status: "approved", comment: { markdown: "secretlyReview" } }
  yield* call(member, "POST", `/v1/spaces/${id}/change-requests/${open.id}/reviews`, review).pipe(has(201))
  const last = yield* openChangeRequest(id, { subject: "secretlyMerged" })
  yield* write(id, last.id, [insertPage("Last", "Plainly last")])
  const { revision } = yield* merge(id, last.id)

  const storage = yield* Storage
  const git = {
    repoName: "secretlyRepository",
    url: "https://example.com/secretly.git",
    installationProvider: "secretlyProvider"
  }
  yield* storage
    .repository(SpaceTable)
    .update({ id: SpaceId.make(id) }, { gitSync: git as never })
    .pipe(Effect.orDie)
  yield* storage
    .repository(RevisionTable)
    .update(
      { id: RevisionId.make(revision) },
      {
        git: {
          oid: "secretlyOid",
          message: "secretlyMessage",
          createdByService: true,
          url: git.url,
          ref: "secretlyRef"
        }
      }
    )
    .pipe(Effect.orDie)
  return {
    id,
    revision,
    pages: [home, ...["Hidden", "secretlyConditionalPage", "secretlyBelow", "Shown", "API", "Out"].map(idOf)],
    files: [unused?.id ?? "", used?.id ?? ""],
    changeRequest: open.id,
    comment: comment as string
  }
})

/** A site of the space, with marks in all that its visitors don't see. */
const makeSite = Effect.fnUntraced(function* (visibility: Audience, space: string) {
  const other = yield* createSpace({ title: "secretlyOtherSpace" })
  yield* publish(other.id, [insertPage("secretlyOtherPage", "secretlyOtherText")])
  const { id } = yield* publishedSite([space], { title: "Site", visibility })
  yield* patchSite(id, { basename: `own-${visibility}` })
  const hidden = yield* addSiteSpace(id, other.id)
  yield* patchSiteSpace(id, hidden.id, { condition: never, path: "secretly-path" })
  const first = (yield* ofSite(id, "POST", "/sections", { spaceId: other.id, title: "secretlySection" }).pipe(
    json(201)
  )).id
  yield* patchSection(id, first, { condition: never, description: "secretlyDescription", icon: "secretly-icon" })
  const shown = (yield* addSection(id, space, "Plain section")).id
  yield* patchSection(id, shown, { condition: '!("secretlyClaim" in visitor.claims)' })
  const [group] = [
    yield* ofSite(id, "POST", "/section-groups", { title: "secretlyGroup", sections: [first] }).pipe(json(201))
  ]
  yield* ofSite(id, "PATCH", "/publishing/auth", { fallbackURL: "https://login.example.com/plainly" }).pipe(has(200))
  yield* ofSite(id, "PUT", "/adaptive-schema", {
    jsonSchema: {
      type: "object",
      properties: { secretlyClaim: { type: "string", description: "secretlyClaimDescription" } },
      additionalProperties: false
    }
  }).pipe(has(200))
  yield* ofSite(id, "PUT", "/customization", {
    header: {
      links: [
        {
          title: "secretlyLink",
          to: { kind: "url", url: "https://example.com/secretly" },
          links: [],
          condition: never
        },
        {
          title: "Plain link",
          to: { kind: "url", url: "https://example.com/" },
          links: [],
          condition: '!("secretlyClaim" in visitor.claims)'
        }
      ]
    }
  }).pipe(has(200))
  yield* ofSite(id, "PATCH", `/site-spaces/${hidden.id}/customization`, { title: "secretlyLook" })
  const link = yield* createShareLink(id)
  yield* ofSite(id, "PATCH", `/share-links/${link.id}`, { name: "secretlyShareLink" }).pipe(has(200))
  const redirect = yield* ofSite(id, "POST", "/redirects", {
    source: "/old",
    destination: { kind: "site-section", siteSectionId: shown }
  }).pipe(json(201))
  const base = `http://127.0.0.1:4000/sites/own-${visibility}/`
  const { apiToken } = yield* visibility === "share-link"
    ? resolve(link.url)
    : visibility === "visitor-auth"
      ? resolve(base, { jwtToken: yield* goodToken(id) })
      : resolve(base)
  // Its script is on the pages, and nothing of what it is or how it was configured.
  const { call } = yield* Harness
  const { path } = yield* installed({
    visibility: "private",
    title: "secretlyTitle",
    description: "secretlyDescribed",
    scopes: ["site:script:inject", "site:views:read"],
    secrets: { secretlyNamed: "secretlyKept" }
  })
  const configured = { configuration: { id: "secretlyConfigured" }, externalIds: ["secretlyExternal"] }
  yield* call("admin", "PATCH", path, configured).pipe(has(200))
  yield* call("admin", "POST", `${path}/sites`, { siteId: id }).pipe(has(201))
  yield* call("admin", "PATCH", `${path}/sites/${id}`, configured).pipe(has(200))
  yield* call("admin", "PATCH", path, { space_selection: "selected", site_selection: "selected" }).pipe(has(200))
  const key = (yield* ofSite(id, "GET", "/publishing/auth").pipe(json(200))).privateKey as string
  const siteSpaces = yield* siteSpacesOf(id)
  return {
    id,
    visibility,
    link,
    apiToken,
    key,
    redirect: redirect.id as string,
    section: shown,
    group: group.id as string,
    siteSpaces,
    base
  }
})
type MadeSite = Effect.Success<ReturnType<typeof makeSite>>

/** Finds pages on the whole of a site, as a visitor. */
const searchSite = Effect.fnUntraced(function* ({ id, apiToken }: MadeSite, query: string) {
  const { call } = yield* Harness
  const asked = { query, scope: { mode: "all" } }
  return (yield* call({ token: apiToken }, "POST", `${yield* pathOfSite(id)}/search`, asked).pipe(has(200))).text
})

const variants = [
  "",
  "limit=1000",
  "metadata=false",
  "computed=false",
  "format=document",
  "evaluated=true",
  "evaluated=deterministic-only&format=document",
  "dereferenced=reusable-contents",
  "query=secretlyHiddenText",
  "query=plainly",
  "source=/old",
  "default=false"
]

const told = ({ status, headers, text }: Answer) => `${status} ${JSON.stringify([...headers])} ${text}`

/** Everything that the token reads by any operation that reads, in all its forms, below `/v1`. */
const readAll = Effect.fnUntraced(function* (apiToken: string, worlds: ReadonlyArray<Things>) {
  const read: Array<{ readonly name: string; readonly path: string; readonly told: string }> = []
  const asked = new Set<string>()
  for (const { name, method, path } of operations) {
    if (method !== "GET") continue
    for (const things of worlds) {
      const [address = "", query] = path(things).split("?")
      if (asked.has(address)) continue
      asked.add(address)
      for (const variant of variants) {
        const asking = `${address}?${[query, variant].filter(Boolean).join("&")}`
        const answer = yield* reading(apiToken, asking.slice("/v1".length))
        read.push({ name, path: asking, told: told(answer) })
        // What it may not read at all it may not read in another form.
        if (answer.status === 401 || answer.status === 403 || (answer.status === 404 && variant === "")) break
      }
    }
  }
  return read
})

const marksIn = (text: string): ReadonlyArray<string> => text.match(/secretly\w*/gi) ?? []

/** Secrets in a text, with some of the text around them. */
const around = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/secretly/gi), ({ index }) => text.slice(Math.max(0, index - 80), index + 50))

onMemory("What visitors read", (it) => {
  it.effect("holds nothing that is not published, in any field of any answer, for any audience", () =>
    Effect.gen(function* () {
      const things = yield* makeThings
      const space = yield* makeSpace
      const sites: Array<MadeSite> = []
      for (const audience of audiences) sites.push(yield* makeSite(audience, space.id))
      const names = new Set<string>()
      const seenByAdmin = new Set<string>()
      for (const site of sites) {
        const world: Things = {
          ...things,
          space: space.id,
          revision: space.revision,
          cr: space.changeRequest,
          comment: space.comment,
          spec: "secretly-private-spec",
          site: site.id,
          section: site.section,
          group: site.group,
          siteSpace: site.siteSpaces.at(-1)!.id,
          link: site.link.id,
          redirect: site.redirect
        }
        const worlds = [
          ...space.pages.map((page) => ({ ...world, page })),
          ...space.files.map((file) => ({ ...world, file })),
          ...site.siteSpaces.map(({ id }) => ({ ...world, siteSpace: id }))
        ]
        const secrets = sites
          .flatMap(({ id, key, link, visibility }) =>
            id === site.id ? [key] : [id, key, link.key, `own-${visibility}`]
          )
          .concat('"oid"', "javascript:", "vbscript:", "<script", "onclick", "example.com/secretly")
          .map((secret) => secret.toLowerCase())
        const read = yield* readAll(site.apiToken, worlds)
        for (const { name, path, told } of read) {
          if (!told.startsWith("200")) continue
          names.add(name)
          // What was asked for is told again in what a list of nothing says of itself, and nowhere else.
          assert.deepStrictEqual(around(told), [], `${site.visibility}: ${path}`)
          const small = told.toLowerCase()
          assert.deepStrictEqual(
            secrets.filter((secret) => small.includes(secret)),
            [],
            `${site.visibility}: ${path}`
          )
          for (const field of ["comments", "changeRequests", "changeRequestsOpen", "changeRequestsDraft"]) {
            for (const [, count] of told.matchAll(new RegExp(`"${field}":(\\d+)`, "g"))) assert.strictEqual(count, "0")
          }
        }
        const plainly = yield* searchSite(site, "plainly")
        assert.include(plainly, '"type":"space"')
        assert.deepStrictEqual(around(plainly), [])
        // What is not shown is not found either. (In small letters, since the words within are found.)
        for (const word of [
          "Comment",
          "Inner",
          "Script",
          "Block",
          "Remark",
          "HiddenText",
          "Conditional",
          "Below",
          "Unused"
        ]) {
          const found = yield* reading(
            site.apiToken,
            `/spaces/${space.id}/search?query=secretly${word.toLowerCase()}`
          ).pipe(json(200))
          assert.deepStrictEqual(found, { count: 0, items: [] }, word)
          const onSite = yield* searchSite(site, `secretly${word.toLowerCase()}`)
          assert.deepStrictEqual(JSON.parse(onSite), { count: 0, items: [] }, word)
        }
        // Refusals tell nothing but what they were asked for.
        for (const { told, path } of read) {
          if (told.startsWith("200")) continue
          const asked = new Set(marksIn(decodeURIComponent(path)).map((each) => each.toLowerCase()))
          for (const each of marksIn(told)) assert.isTrue(asked.has(each.toLowerCase()), `${path}: ${told}`)
        }
        const published = read
          .filter(({ told }) => told.startsWith("200"))
          .map(({ told }) => told)
          .join("\n")
        for (const word of [
          "published text",
          "raw text",
          "linked",
          "otherwise",
          "flagged",
          "shared",
          "hidden",
          "shown",
          "Space",
          "Page"
        ]) {
          assert.match(published, new RegExp(`plainly ?${word}`, "i"), `${site.visibility}: ${word}`)
        }
        for (const field of ['"used":"plainlySpace"', '"used":"plainlyPage"', "shown.txt", '"siteSpaces":1']) {
          assert.include(published, field)
        }
      }
      for (const name of [
        "spaces.get",
        "spaceContent.revision",
        "spaceContent.page",
        "spaceContent.document",
        "revisions.revision",
        "revisions.page",
        "revisions.document",
        "search.space",
        "published.site",
        "siteSpaces.list"
      ]) {
        assert.isTrue(names.has(name), name)
      }
      // The marks are there: a member reads them by the same operations.
      const { call } = yield* Harness
      for (const path of [
        `/v1/spaces/${space.id}`,
        `/v1/spaces/${space.id}/content`,
        `/v1/spaces/${space.id}/content/page/${space.pages[0]}`,
        `/v1/spaces/${space.id}/content/page/${space.pages[0]}?format=document`,
        `/v1/spaces/${space.id}/change-requests`,
        `/v1/spaces/${space.id}/comments`,
        `/v1/orgs/${things.org}/sites/${sites[0]!.id}/structure`,
        `/v1/orgs/${things.org}/sites/${sites[0]!.id}/customization`
      ]) {
        const answer = yield* call("admin", "GET", path).pipe(has(200))
        for (const each of marksIn(answer.text)) seenByAdmin.add(each)
      }
      const planted = [
        "secretlyComment",
        "secretlyRaw",
        "secretlyInner",
        "secretlyScript",
        "secretlyBlock",
        "secretlyRun",
        "secretlyData",
        "secretlyRemark",
        "secretlyHiddenText",
        "secretlyEmbed",
        "secretlyIntegration",
        "secretlyUnusedInclude",
        "secretlyOfPage",
        "secretlyUnusedValue",
        "secretlyConditionalValue",
        "secretlyFlagValue",
        "secretlyConditionalPage",
        "secretlyBelow",
        "secretlyTarget",
        "secretlyFile",
        "secretlySubject",
        "secretlyMerged",
        "secretlySaid",
        "secretlyName",
        "secretlyRepository",
        "secretlyOtherSpace",
        "secretlySection",
        "secretlyDescription",
        "secretlyGroup",
        "secretlyLink",
        "secretlyClaim",
        "secretlyValue"
      ]
      assert.deepStrictEqual(
        planted.filter((each) => !seenByAdmin.has(each)),
        []
      )
      assert.isAbove(names.size, 10)
      // Where the site leads to where pages are edited, it is told where that is, and no more.
      const [open] = sites
      const tree = `/spaces/${space.id}/content/pages`
      const before = yield* reading(open!.apiToken, tree).pipe(has(200))
      yield* ofSite(open!.id, "PUT", "/customization", { git: { showEditLink: true } }).pipe(has(200))
      const after = yield* reading(open!.apiToken, tree).pipe(has(200))
      assert.notStrictEqual(after.headers.get("etag"), before.headers.get("etag"))
      assert.include(after.text, '"git":{"oid"')
      assert.include((yield* reading(open!.apiToken, `/spaces/${space.id}`).pipe(has(200))).text, "secretlyRepository")
      assert.notInclude(
        (yield* reading(open!.apiToken, `/spaces/${space.id}/content`).pipe(has(200))).text,
        "secretlyMessage"
      )
    })
  )

  it.effect("says of a space for visitors that have signed on who signs their tokens, and of no other", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const patched = (visibility: string) => call("admin", "PATCH", `/v1/spaces/${id}`, { visibility }).pipe(json(200))
      assert.deepStrictEqual((yield* patched("visitor-auth")).visitorAuth, { backend: "custom" })
      assert.notProperty(yield* patched("public"), "visitorAuth")
    })
  )
})
