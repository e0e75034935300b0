/**
 * A space and its sites. The text of each field that visitors must not read starts with "secretly". The text of each
 * field that they may read contains "plainly".
 */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Tokens } from "@lectern/core/token/Tokens"
import { RevisionId, RevisionTable } from "@lectern/core/content/revisions/Revision"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { Organizations } from "@lectern/core/organization/Organizations"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { Effect, Redacted } from "effect"
import { type Audience } from "./AudienceSites.ts"
import { Harness, has } from "./Harness.ts"
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
  publishedSite,
  resolve,
  siteSpacesOf
} from "./SiteSteps.ts"
import { createCollection, createSpace, insertPage, merge, openChangeRequest, publish, write } from "./Steps.ts"

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
  "Plainly noted[^hidden] and plainly footnoted[^shown].",
  "",
  "[^shown]: Plainly defined <i onclick=secretlyFootnoteRaw()>here</i> <!-- secretlyFootnoteComment -->",
  "",
  `{% if ${never} %}`,
  "[^hidden]: secretlyFootnoteText",
  "{% endif %}",
  "",
  '<figure style="secretlyStyle"><img src="https://example.com/plainly.png"><figcaption></figcaption></figure>',
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
export const makeSpace = Effect.gen(function* () {
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
export const makeSite = Effect.fnUntraced(function* (visibility: Audience, space: string) {
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
export type MadeSite = Effect.Success<ReturnType<typeof makeSite>>
