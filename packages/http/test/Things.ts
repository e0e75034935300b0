/** One of everything that an operation may be asked about, made by the organization's administrator. */
import { ImportRunTable } from "@lectern/core/exchange/ImportRunRow"
import { InviteLinkTable } from "@lectern/core/organization/InviteLink"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect, Schema } from "effect"
import * as DiscussionShapes from "./DiscussionShapes.ts"
import { answers, Harness, has } from "./Harness.ts"
import { installed } from "./IntegrationSteps.ts"
import { processed } from "./OpenApiSteps.ts"
import * as Shapes from "./Shapes.ts"
import { addSection, createShareLink, createSite, ofSite, publishSite } from "./SiteSteps.ts"
import {
  createCollection,
  createDiscussion,
  createMember,
  createSpace,
  createTeam,
  insertPage,
  merge,
  openChangeRequest,
  publish,
  write
} from "./Steps.ts"

const most = 50
const before = new Map<string, Array<{ readonly link: string; readonly run: string }>>()

/** An organization has a hundred of each at most: those of the first things stay, then the oldest go. */
const makeRoom = Effect.fnUntraced(function* (organization: string, link: string, run: string) {
  const made = before.get(organization) ?? []
  before.set(organization, made)
  made.push({ link, run })
  for (const gone of made.splice(1, made.length - most)) {
    const storage = yield* Storage
    yield* storage.repository(InviteLinkTable).remove({ id: gone.link })
    yield* storage.repository(ImportRunTable).remove({ id: gone.run })
  }
}, Effect.orDie)

export interface Things {
  readonly org: string
  /** With content. */
  readonly space: string
  /** A change request of the administrator's, with a conflict. */
  readonly cr: string
  readonly conflict: string
  readonly page: string
  readonly file: string
  readonly revision: string
  readonly collection: string
  /** Whose grant changes nothing: the administrator. */
  readonly user: string
  /** Someone that nothing else knows of. */
  readonly member: string
  /** The administrator is in it. */
  readonly team: string
  /** On the space, and on the change request, each with a reply. */
  readonly comment: string
  readonly reply: string
  readonly crComment: string
  readonly crReply: string
  /** Of the change request, which the administrator is also asked to review. */
  readonly review: string
  /** Another organization of the administrator's. */
  readonly target: string
  /** Published, with a section that holds the space, in a group. */
  readonly site: string
  readonly section: string
  readonly group: string
  readonly siteSpace: string
  readonly link: string
  /** From `/old` to the section. */
  readonly redirect: string
  readonly hostname: string
  /** Of the organization. */
  readonly subdomain: string
  readonly webhook: string
  /** A space that stands on no site. */
  readonly spare: string
  /** Private, with a version. */
  readonly spec: string
  readonly specVersion: string
  /** Of the space, never run. */
  readonly translation: string
  /** Complete, for the team. */
  readonly provider: string
  readonly oidcProvider: string
  /** Waits for someone that nobody knows. */
  readonly invite: string
  /** Without its secret. */
  readonly inviteLink: string
  /** Into the space, pending. */
  readonly importRun: string
  /** Private, placed on the space and the site. */
  readonly integration: string
  readonly installation: string
  /** Of the organization. */
  readonly auditEvent: string
  /** Of the revision, with what its address is signed with. */
  readonly pdf: string
  readonly expires: string
  readonly signature: string
}

/** A spec with a version. */
const makeSpec = Effect.fnUntraced(function* (slug: string) {
  const { call, organization } = yield* Harness
  const specs = `/v1/orgs/${organization}/openapi`
  const text = JSON.stringify({ openapi: "3.1.0", info: { title: slug, version: "1" }, paths: {} })
  const { id } = yield* call("admin", "POST", specs, { slug, source: { text } }).pipe(answers(201, Shapes.Identified))
  yield* processed(id)
  const version = yield* call("admin", "GET", `${specs}/${slug}/versions/latest`).pipe(answers(200, Shapes.Identified))
  return { spec: slug, specVersion: version.id }
})

/** A published site that shows the space, and one of everything that is kept with it. */
const makeSite = Effect.fnUntraced(function* (space: string) {
  const spare = yield* createSpace()
  const { id: site } = yield* createSite([space])
  const section = yield* addSection(site, space, "Section")
  const { id: group } = yield* ofSite(site, "POST", "/section-groups", { title: "Group", sections: [section.id] }).pipe(
    answers(201, Shapes.SiteSectionGroup)
  )
  const destination = { kind: "site-section", siteSectionId: section.id }
  const { id: redirect } = yield* ofSite(site, "POST", "/redirects", { source: "/old", destination }).pipe(
    answers(201, Shapes.Redirect)
  )
  const hostname = `docs-${site.toLowerCase()}.example.com`
  yield* ofSite(site, "PATCH", "", { hostname }).pipe(has(200))
  yield* publishSite(site)
  return {
    site,
    section: section.id,
    group,
    siteSpace: section.siteSpaces[0]?.id ?? "",
    link: (yield* createShareLink(site)).id,
    redirect,
    hostname,
    spare: spare.id
  }
})

/** A private integration, on the space and on the site. */
const makeIntegration = Effect.fnUntraced(function* (space: string, site: string) {
  const { call } = yield* Harness
  const { name, id, path } = yield* installed({ visibility: "private" })
  yield* call("admin", "POST", `${path}/spaces`, { space }).pipe(has(201))
  yield* call("admin", "POST", `${path}/sites`, { siteId: site }).pipe(has(201))
  return { integration: name, installation: id }
})

/** URL of a PDF of what is published now. */
const makePdf = Effect.fnUntraced(function* (space: string) {
  const { call } = yield* Harness
  const { url } = yield* call("admin", "GET", `/v1/spaces/${space}/pdf`).pipe(
    answers(200, Schema.Struct({ url: Shapes.Url }))
  )
  const { pathname, searchParams } = new URL(url)
  const signed = (name: string) => searchParams.get(name) ?? ""
  return {
    pdf: pathname.slice(pathname.lastIndexOf("/") + 1),
    expires: signed("expires"),
    signature: signed("signature")
  }
})

export const makeThings = Effect.gen(function* () {
  const { call, organization, users } = yield* Harness
  const space = yield* createSpace()
  const { idOf, insertedFiles, revision } = yield* publish(space.id, [
    insertPage("Page"),
    { operation: "insert_files", files: [{ name: "x.txt", base64: btoa("x") }] }
  ])
  const page = idOf("Page")
  const pdf = yield* makePdf(space.id)
  const { id } = yield* openChangeRequest(space.id)
  yield* write(space.id, id, [{ operation: "update_page", page, title: "Ours" }])
  yield* publish(space.id, [{ operation: "update_page", page, title: "Main" }])
  yield* merge(space.id, id)
  const path = `/v1/spaces/${space.id}/change-requests/${id}`
  const { conflicts } = yield* call("admin", "GET", `${path}/changes`).pipe(answers(200, Shapes.ChangeRequestChanges))
  const { comment, reply } = yield* createDiscussion(`/v1/spaces/${space.id}`)
  const { comment: crComment, reply: crReply } = yield* createDiscussion(path)
  yield* call("admin", "POST", `${path}/requested-reviewers`, { users: [users.admin] }).pipe(has(200))
  const review = yield* call("admin", "POST", `${path}/reviews`, { status: "approved" }).pipe(
    answers(201, DiscussionShapes.Review)
  )
  const collection = yield* createCollection()
  const team = yield* createTeam
  yield* call("admin", "PUT", `/v1/orgs/${organization}/teams/${team}/members/${users.admin}`, {}).pipe(has(204))
  const site = yield* makeSite(space.id)
  const contents = [
    `/v1/spaces/${space.id}`,
    `/v1/collections/${collection.id}`,
    `/v1/orgs/${organization}/sites/${site.site}`
  ]
  for (const content of contents) {
    for (const to of [{ users: [users.admin] }, { teams: [team] }]) {
      yield* call("admin", "POST", `${content}/permissions`, { ...to, role: "read" }).pipe(has(204))
    }
  }
  // An organization has few, and those before are as good.
  const providers = yield* call("admin", "GET", `/v1/orgs/${organization}/saml`).pipe(
    answers(200, Shapes.listOf(Shapes.Identified))
  )
  const provider =
    providers.items[0] ??
    (yield* call("admin", "POST", `/v1/orgs/${organization}/saml`, {
      label: "Company",
      ssoURL: "https://idp.example.com/sso",
      entityID: "https://idp.example.com",
      certificate: "MIIB",
      defaultTeam: team
    }).pipe(answers(201, Shapes.Identified)))
  const oidcProviders = yield* call("admin", "GET", `/v1/orgs/${organization}/oidc`).pipe(
    answers(200, Shapes.listOf(Shapes.Identified))
  )
  const oidcProvider =
    oidcProviders.items[0] ??
    (yield* call("admin", "POST", `/v1/orgs/${organization}/oidc`, {
      label: "Company",
      issuer: "https://idp.example.com",
      clientID: "lectern",
      defaultTeam: team
    }).pipe(answers(201, Shapes.Identified)))
  const webhooks = yield* call("admin", "GET", `/v1/orgs/${organization}/webhooks`).pipe(
    answers(200, Shapes.listOf(Shapes.Described))
  )
  // An organization has a limited number of them. That of the first things stays, since tests share those.
  for (const { id } of webhooks.items.filter(({ description }) => description !== "First")) {
    yield* call("admin", "DELETE", `/v1/orgs/${organization}/webhooks/${id}`).pipe(has(204))
  }
  const webhook = yield* call("admin", "POST", `/v1/orgs/${organization}/webhooks`, {
    url: "https://example.com/",
    description: webhooks.items.length === 0 ? "First" : "Other"
  }).pipe(answers(201, Shapes.Identified))
  const translation = yield* call("admin", "POST", `/v1/orgs/${organization}/translations`, {
    source: { space: space.id, language: "en" },
    language: "fr"
  }).pipe(answers(201, Shapes.Identified))
  const { hostname } = yield* call("admin", "GET", `/v1/orgs/${organization}`).pipe(answers(200, Shapes.Organization))
  const { invites } = yield* call("admin", "POST", `/v1/orgs/${organization}/invites`, {
    emails: [`${space.id.toLowerCase()}@example.org`]
  }).pipe(answers(200, Shapes.InviteResult))
  const inviteLink = yield* call("admin", "POST", `/v1/orgs/${organization}/link-invites`, { role: "read" }).pipe(
    answers(201, Shapes.InviteLink)
  )
  const audit = yield* call("admin", "GET", `/v1/orgs/${organization}/audit-events?limit=1`).pipe(
    answers(200, Shapes.listOf(Shapes.AuditEvent))
  )
  const importRun = yield* call("admin", "POST", `/v1/org/${organization}/imports`, {
    source: { type: "website", url: "https://example.com/" },
    target: { space: space.id }
  }).pipe(answers(201, Shapes.Identified))
  yield* makeRoom(organization, inviteLink.id.split("_")[0]!, importRun.id)
  const target = yield* call("admin", "POST", "/v1/orgs", { title: "Target" }).pipe(answers(201, Shapes.Organization))
  return {
    org: organization,
    subdomain: hostname,
    space: space.id,
    cr: id,
    conflict: conflicts[0]?.id ?? "",
    page,
    file: insertedFiles?.[0]?.id ?? "",
    revision,
    collection: collection.id,
    user: users.admin,
    member: yield* createMember,
    team,
    comment,
    reply,
    crComment,
    crReply,
    review: review.id,
    target: target.id,
    provider: provider.id,
    oidcProvider: oidcProvider.id,
    webhook: webhook.id,
    invite: invites[0]?.id ?? "",
    importRun: importRun.id,
    inviteLink: inviteLink.id.split("_")[0]!,
    translation: translation.id,
    auditEvent: audit.items[0]?.id ?? "",
    ...site,
    ...(yield* makeIntegration(space.id, site.site)),
    ...pdf,
    ...(yield* makeSpec(`spec-${space.id.toLowerCase()}`))
  } satisfies Things
})
