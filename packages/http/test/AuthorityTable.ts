/**
 * Expected permissions, written independently of the policies: for each least role the operations that it allows, with
 * example requests. Path parameters are filled in from `Things`.
 */
import { endpoints } from "./Endpoints.ts"
import type { Method } from "./Harness.ts"
import { manifest } from "./IntegrationSteps.ts"
import { insertPage } from "./Steps.ts"
import type { Things } from "./Things.ts"

export const ladder = ["read", "comment", "edit", "review", "create", "admin"] as const

/**
 * `everyone`: also without a token. `anyone`: with a token. `administrator`: of any organization. `member`: of the
 * organization, including guests.
 */
export type Least = (typeof ladder)[number] | "everyone" | "anyone" | "administrator" | "member"

interface Request {
  readonly query?: string | ((things: Things) => string)
  readonly body?: unknown | ((things: Things) => unknown)
  /** Default: 204 for DELETE, else 200. */
  readonly success?: number
  /** Status for actors that can't view the resource. Default: 404. */
  readonly unseen?: number
  /**
   * Status for guests, if the operation on the organization needs more rights than a guest has. Default: 403; 404 for a
   * site.
   */
  readonly guest?: number
}

const ask: Request = {}
const imported = { url: "data:text/markdown,Imported", source: "markdown" }
const make = (body: unknown = {}): Request => ({ body, success: 201 })
const send = (body: unknown): Request => ({ body })
/** A guest can't view the parent collection, so it counts as missing. */
const makeWithin: Request = { ...make(({ collection }: Things) => ({ parent: collection })), guest: 400 }
/** Deleting an invisible resource counts as successful. */
const destroy: Request = { unseen: 204 }

const repository = { url: "https://example.com/docs.git", ref: "refs/heads/main" }

const spec = { type: "builtin:openapi", dependencies: { spec: { ref: { kind: "openapi", spec: "none" } } } }

const reading = (group: string) =>
  Object.fromEntries(
    ["revision", "pages", "files", "file", "page", "document", "metaLinks", "pageByPath"].map((name) => [
      `${group}.${name}`,
      ask
    ])
  )

const linking = (group: string) =>
  Object.fromEntries(["list", "ofPage", "toPage", "toFile"].map((name) => [`${group}.${name}`, ask]))

const granting = (group: string): Readonly<Record<string, Request>> => ({
  [`${group}.give`]: { body: ({ user }: Things) => ({ users: [user], role: "read" }), success: 204 },
  [`${group}.listUsers`]: ask,
  [`${group}.listTeams`]: ask,
  [`${group}.aggregate`]: ask,
  [`${group}.changeUser`]: { body: { role: "read" }, success: 204 },
  [`${group}.removeUser`]: ask,
  [`${group}.changeTeam`]: { body: { role: "read" }, success: 204 },
  [`${group}.removeTeam`]: ask
})

const discussing = ["spaceComments", "changeRequestComments"]

/** Operations on comments of spaces and of change requests. */
const ofComments = (requests: Readonly<Record<string, Request>>) =>
  Object.fromEntries(
    discussing.flatMap((group) => Object.entries(requests).map(([name, request]) => [`${group}.${name}`, request]))
  )

const emptySchema = { type: "object", properties: {}, additionalProperties: false }

const handingOver = send(({ target }: Things) => ({ organization: target }))

const rows: ReadonlyArray<readonly [Least, Readonly<Record<string, Request | ReadonlyArray<Request>>>]> = [
  // The site is public.
  [
    "everyone",
    {
      "siteInsights.track": { ...send({ events: [] }), success: 204 },
      "siteInsights.agentFeedback": {
        ...send({ subject: { kind: "generic" }, feedback: { category: "usability", summary: "Unclear" } }),
        success: 201
      },
      "siteInsights.contentFeedback": {
        ...send({ feedback: "Unclear", url: "https://a.example.invalid/", spaceId: "x", pageId: "x" }),
        success: 204
      },
      // Access depends on the visitor's credentials, not on the caller.
      "published.url": send(({ hostname }: Things) => ({ url: `https://${hostname}/` })),
      "published.urlByQuery": { query: "url=https://a.example.invalid/", success: 404 }
    }
  ],
  [
    "anyone",
    {
      "users.me": ask,
      "users.updateMe": send({}),
      // The user of nobody here: everyone may change only themselves.
      "users.update": { body: {}, success: 404 },
      "emailDomains.organizations": ask,
      "userSessions.list": ask,
      "userSessions.revokeOthers": ask,
      // The session of another user: a missing session counts as ended.
      "userSessions.revoke": ask,
      "userTokens.list": ask,
      "userTokens.create": make(),
      // The token of another user: everyone may read and revoke only their own, and a missing token counts as revoked.
      "userTokens.get": { success: 404 },
      "userTokens.revoke": ask,
      "notifications.list": [ask, { query: "unread=true&kind=mention" }],
      "notifications.markAllRead": { body: {}, success: 204 },
      "notifications.settings": ask,
      "notifications.updateSettings": send({ digestHour: 9 }),
      // The notification of another user: everyone may read only their own.
      "notifications.get": { success: 404 },
      "notifications.update": { body: { read: true }, success: 404 },
      "watches.list": ask,
      "organizations.list": ask,
      "invitations.mine": ask,
      // The invitation of another user: everyone may accept only their own.
      "invitations.accept": { success: 404 },
      "integrations.list": ask,
      "embeds.find": { query: "url=https://elsewhere.example.com/" }
    }
  ],
  ["administrator", { "organizations.create": make({ title: "Own" }) }],
  [
    "member",
    {
      "users.get": ask,
      "organizations.get": ask,
      // Existing members have already joined.
      "organizations.join": { success: 204 },
      "subdomains.get": ask,
      "members.list": ask,
      "members.get": ask,
      "members.listTeams": [ask, { query: "title=team" }],
      "members.ping": ask,
      "events.list": [ask, { query: "types=space_created&types=comment_posted&limit=5" }],
      "teams.list": [ask, { query: "title=team" }],
      "samlProviders.logins": ask,
      "teams.get": ask,
      "teams.listMembers": ask,
      "collections.list": [ask, { query: "nested=false" }],
      "spaces.list": ask,
      // It has only the spaces that the actor may restore.
      "spaces.listDeleted": ask,
      "sites.list": [ask, { query: "title=Site&published=true" }],
      ...Object.fromEntries(
        ["list", "get", "versions", "version", "content", "rawContent"].map((name) => [`openApiSpecs.${name}`, ask])
      ),
      // A private integration of the organization.
      "integrations.get": ask,
      "integrations.listFor": ask,
      "integrations.events": ask,
      // The integration is visible but has no such event.
      "integrations.event": { success: 404 },
      ...Object.fromEntries(
        ["list", "get", "listIn", "statuses", "status"].map((name) => [`installations.${name}`, ask])
      ),
      // Items that a member can't view are left out.
      ...Object.fromEntries(
        ["spacePlacements", "sitePlacements"].flatMap((group) => [
          [`${group}.list`, ask],
          [`${group}.listOf`, ask]
        ])
      ),
      "translations.list": ask,
      "fonts.list": ask,
      // Fonts are visible, but this one does not exist.
      "fonts.get": { success: 404 },
      "importRuns.list": [ask, { query: "status=active" }],
      "glossaries.list": [ask, { query: "orderBy=de" }],
      // The glossary is visible but has no such entry.
      "glossaries.get": { success: 404 },
      "search.organization": { query: "query=page" },
      "changeRequests.listInOrganization": ask
    }
  ],
  [
    "read",
    {
      "spaces.get": ask,
      "importRuns.get": { guest: 404 },
      "pushes.export": ask,
      // A guest can view the organization, but no translation of invisible spaces.
      "translations.get": { guest: 404 },
      "collections.get": ask,
      "collections.listSpaces": ask,
      "pdfs.space": ask,
      "pdfs.changeRequest": ask,
      "search.prewarm": { success: 204 },
      "search.space": { query: "query=page" },
      "search.site": send({ query: "page", scope: { mode: "all" } }),
      "changeRequests.list": ask,
      "changeRequests.get": ask,
      "changeRequests.changes": ask,
      "changeRequests.contributors": ask,
      "watches.watchSpace": send({ state: "watching" }),
      "watches.watchPage": send({ state: "muted" }),
      "watches.watchChangeRequest": send({ state: "watching" }),
      // Everyone may end their own watches, also of content that they may no longer view.
      "watches.unwatchSpace": destroy,
      "watches.unwatchPage": destroy,
      "watches.unwatchChangeRequest": destroy,
      "changeRequests.pageChanges": ask,
      ...ofComments({ list: ask, get: ask, listReplies: ask, getReply: ask, commenters: ask }),
      "reviews.list": ask,
      "reviews.get": ask,
      "reviews.listRequested": ask,
      "mergeChecks.list": ask,
      "revisions.changes": ask,
      "revisions.pageChanges": ask,
      "embeds.get": { query: "url=https://elsewhere.example.com/" },
      "contentUrls.find": {
        query: ({ space }: Things) => `url=http://127.0.0.1:4000/v1/spaces/${space}`
      },
      ...linking("spaceLinks"),
      ...linking("changeRequestLinks"),
      ...reading("spaceContent"),
      ...reading("changeRequestContent"),
      ...reading("revisions"),
      "sites.get": ask,
      "sites.structure": [ask, { query: "shareKey=wrong" }],
      "siteSections.list": ask,
      "siteSectionGroups.list": ask,
      "siteSpaces.list": [ask, { query: "default=true" }],
      "adaptiveSchema.get": ask,
      "adaptiveSchema.templateConditions": ask,
      "customization.get": ask,
      "customization.getOfSiteSpace": ask,
      "redirects.list": ask,
      "previews.url": ask,
      "published.site": ask,
      "published.redirect": { query: "source=/old" },
      "customHostnames.get": ask,
      "spacePlacements.get": { guest: 404 },
      // The integration is visible, but none runs here.
      "integrations.renderByPost": {
        body: ({ space }: Things) => ({ componentId: "x", props: {}, context: { type: "document", spaceId: space } }),
        success: 502,
        guest: 404
      },
      "integrations.render": { query: "request=wrong", success: 400, unseen: 400, guest: 400 },
      "sitePlacements.get": ask,
      ...Object.fromEntries(
        ["onSpace", "blocks", "onSite", "scripts"].map((name) => [`placedIntegrations.${name}`, ask])
      )
    }
  ],
  [
    "comment",
    ofComments({
      post: send({ body: { markdown: "New" } }),
      update: send({ resolved: true, addedReactions: ["1f44d"] }),
      postReply: send({ body: { markdown: "New" } }),
      updateReply: send({ addedReactions: ["1f44d"] })
    })
  ],
  [
    "edit",
    {
      "siteInsightsSums.aggregate": send({ range: "last7Days" }),
      "changeRequests.create": make(),
      "changeRequests.revert": make(),
      // A source that the content does not reference. Referenced sources are readable like the content.
      "spaceContent.computedPages": send({ source: { ...spec, props: { models: true } }, seed: "x" }),
      "spaceContent.computedDocument": send({ source: { ...spec, props: { doc: "models" } }, seed: "x" }),
      "contentImports.space": make(imported),
      "importRuns.start": [
        {
          ...make(({ space }: Things) => ({
            source: { type: "website", url: "https://example.com/" },
            target: { space }
          })),
          guest: 404
        }
      ],
      "importRuns.cancel": { success: 201, guest: 404 },
      "pushes.push": send({ name: "branch", files: "" }),
      // An empty archive.
      "pushes.upload": send(new Uint8Array(1024)),
      "templates.apply": make({ id: "changelog" })
    }
  ],
  [
    "review",
    {
      // A change request of another author, so it needs the role of an editor.
      "changeRequests.update": [send({ subject: "New" }), send({ status: "open" }), send({ status: "archived" })],
      "changeRequests.write": send({ changes: [insertPage("New")] }),
      "changeRequests.pull": ask,
      "contentImports.changeRequest": make(imported),
      "changeRequests.resolve": send({ keep: "ours" }),
      "changeRequests.merge": ask,
      "reviews.submit": make({ status: "approved", comment: { markdown: "Fine" } }),
      "reviews.request": send(({ user }: Things) => ({ users: [user] })),
      "reviews.removeRequested": ask,
      "mergeChecks.set": send({ state: "passed" }),
      "mergeChecks.remove": ask
    }
  ],
  [
    "create",
    {
      "collections.create": [make(), makeWithin],
      "collections.move": [send({}), send({ parent: null })],
      "spaces.create": [make(), makeWithin],
      "spaces.duplicate": make(),
      "spaces.move": [send({}), send(({ collection }: Things) => ({ parent: collection }))],
      "uploads.begin": make({ file: { name: "x.png", type: "image/png", size: 1 }, kind: "organization_file" }),
      "sites.create": [
        make(),
        make({ spaces: "empty" }),
        make(({ space, spare }: Things) => ({ spaces: [space, spare] }))
      ],
      "openApiSpecs.create": make(({ spec }: Things) => ({ slug: `new-${spec}`, source: { text: "{}" } })),
      "openApiSpecs.put": send({ source: { text: "{}" } }),
      "openApiSpecs.update": send({ visibility: "public" }),
      "openApiSpecs.remove": ask,
      "translations.create": [
        make({ language: "de" }),
        make(({ space }: Things) => ({ language: "de", source: { space, language: "en" } }))
      ],
      "glossaries.update": {
        body: { operations: [{ type: "insert", translations: { en: "space", de: "Raum" } }] },
        success: 204
      },
      "translations.put": { body: { instructions: { markdown: "Du" } }, guest: 404 },
      "translations.run": { success: 204, guest: 404 },
      "translations.remove": { success: 205, guest: 204 }
    }
  ],
  [
    "admin",
    {
      "auditEvents.list": [ask, { query: "actor=someone&from=2026-01-01" }, { query: "format=ndjson" }],
      "auditEvents.get": ask,
      "auditEvents.actions": ask,
      "explanations.explain": { query: "url=https://docs.example.com/" },
      "organizations.update": send({ title: "Acme" }),
      "emailDomains.list": ask,
      // The organization is visible but has no such domain.
      "emailDomains.prove": { success: 404 },
      "members.update": send({ role: "read" }),
      // Another member: everyone may leave.
      "members.remove": ask,
      // Another member: everyone may list their own.
      "members.listSpaces": ask,
      "invitations.invite": send({ emails: ["read@example.com"], role: "read" }),
      "invitations.list": ask,
      "invitations.get": ask,
      "invitations.remove": ask,
      "inviteLinks.list": ask,
      "inviteLinks.create": make({ role: "read" }),
      "inviteLinks.get": ask,
      "inviteLinks.update": send({ role: "edit" }),
      "inviteLinks.remove": ask,
      "fonts.create": {
        body: { fontFamily: "Own", fontFaces: [{ weight: 400, storageKey: "none" }] },
        success: 400
      },
      "fonts.update": { body: { fontFamily: "Own" }, success: 404 },
      "fonts.remove": ask,
      "webhooks.list": ask,
      "webhooks.get": ask,
      "webhooks.create": make({ url: "https://example.com/" }),
      "webhooks.update": send({ description: "New" }),
      "webhooks.remove": ask,
      "webhooks.rotateSecret": ask,
      "webhooks.test": ask,
      "webhooks.deliveries": ask,
      // The webhook is visible but has no such attempt.
      "webhooks.redeliver": { success: 404 },
      "samlProviders.list": ask,
      "samlProviders.get": ask,
      "samlProviders.create": make(({ team }: Things) => ({ label: "New", defaultTeam: team })),
      "samlProviders.update": send({ label: "New" }),
      "samlProviders.remove": ask,
      "oidcProviders.list": ask,
      "oidcProviders.get": ask,
      "oidcProviders.create": make(({ team }: Things) => ({
        label: "New",
        clientSecret: "secret",
        groups: [{ group: "staff", role: "read", teams: [team] }]
      })),
      "oidcProviders.update": send({ label: "New" }),
      "oidcProviders.remove": ask,
      "teams.create": make({ title: "New" }),
      "teams.update": send({ title: "New" }),
      "teams.remove": ask,
      "teams.updateMembers": { body: ({ user }: Things) => ({ add: [user] }), success: 204 },
      "teams.putMember": { body: { role: "owner" }, success: 204 },
      "teams.removeMember": ask,
      // A comment by another author. Its author may delete it as a commenter.
      ...ofComments({ remove: ask, removeReply: ask }),
      "collections.update": [send({ title: "New" }), send({ defaultLevel: "inherit" }), send({ access: "inherit" })],
      "collections.remove": destroy,
      "collections.transfer": handingOver,
      "spaces.update": [
        send({ title: "New" }),
        send({ defaultLevel: "inherit" }),
        send({ access: "inherit" }),
        send({ visibility: "private" })
      ],
      "spaces.remove": destroy,
      "spaces.restore": ask,
      "spaces.transfer": handingOver,
      "git.import": { body: repository, success: 204 },
      "git.export": { body: { ...repository, commitMessage: "Update" }, success: 204 },
      // The space is visible but not connected.
      "git.info": { success: 404 },
      ...granting("spaceGrants"),
      ...granting("collectionGrants"),
      "sites.update": [
        send({ title: "New", visibility: "unlisted" }),
        send(({ siteSpace, section }: Things) => ({ defaultSiteSpace: siteSpace, defaultSiteSection: section })),
        send({ hostname: null })
      ],
      // The organization is visible, and a missing site counts as removed.
      "sites.remove": { guest: 204 },
      "sites.publish": ask,
      "sites.unpublish": ask,
      "sites.sort": send(({ siteSpace }: Things) => ({ item: { type: "site-space", id: siteSpace }, position: {} })),
      ...granting("siteGrants"),
      "siteSections.create": make(({ spare }: Things) => ({ spaceId: spare })),
      "siteSections.update": send({ title: "New", condition: "visitor.claims.x" }),
      "siteSections.remove": ask,
      "siteSections.move": ask,
      "siteSectionGroups.create": make(({ section }: Things) => ({ title: "New", sections: [section] })),
      "siteSectionGroups.update": send({ title: "New" }),
      "siteSectionGroups.remove": ask,
      "siteSectionGroups.addSection": make(({ section }: Things) => ({ sectionId: section })),
      "siteSectionGroups.removeSection": ask,
      "siteSectionGroups.move": ask,
      "siteSpaces.add": make(({ spare }: Things) => ({ spaceId: spare })),
      "siteSpaces.update": [send({ path: "new" }), send(({ spare }: Things) => ({ spaceId: spare }))],
      "siteSpaces.duplicate": make(),
      "siteSpaces.remove": ask,
      "siteSpaces.move": ask,
      "shareLinks.list": ask,
      "shareLinks.create": make({ name: "New" }),
      "shareLinks.update": send({ active: false }),
      "shareLinks.remove": ask,
      "publishingAuth.get": ask,
      "publishingAuth.update": send({ fallbackURL: "https://example.com/login" }),
      "publishingAuth.regenerate": ask,
      "adaptiveSchema.put": send({ jsonSchema: emptySchema }),
      "customization.put": send({ title: "New" }),
      "customization.patchOfSiteSpace": send({ title: "New" }),
      "customization.removeOfSiteSpace": ask,
      "redirects.create": make(({ section }: Things) => ({
        source: "/new",
        destination: { kind: "site-section", siteSectionId: section }
      })),
      "redirects.writeAll": send({ redirects: [{ source: "/old", destination: null }] }),
      "redirects.update": send({ source: "/new" }),
      "redirects.remove": ask,
      // The requested site space is already the default.
      "customHostnames.prove": { success: 409 },
      "customHostnames.remove": destroy,
      "integrations.publish": send(({ org }: Things) => ({ ...manifest, visibility: "private", organization: org })),
      "integrations.unpublish": { unseen: 204 },
      "integrations.beginDevelopment": { body: { tunnelUrl: "https://tunnel.example.com/" }, success: 204 },
      "integrations.endDevelopment": ask,
      "integrations.queueTask": { body: { task: {} }, success: 204 },
      "installations.makeToken": ask,
      "installations.install": make(({ org }: Things) => ({ organization: org })),
      "installations.update": send({ externalIds: ["new"] }),
      "installations.uninstall": ask,
      "spacePlacements.place": { ...make(({ space }: Things) => ({ space })), guest: 404 },
      "spacePlacements.update": { ...send({ externalIds: ["new"] }), guest: 404 },
      "spacePlacements.remove": { guest: 204 },
      "sitePlacements.place": { ...make(({ site }: Things) => ({ siteId: site })), guest: 404 },
      "sitePlacements.update": send({ externalIds: ["new"] }),
      "sitePlacements.remove": { guest: 204 }
    }
  ]
]

/** Operations without tokens: their URL is signed, or the resource is public. */
export const signed = [
  "downloads.file",
  "downloads.published",
  "pdfDownloads.pdf",
  "publishedSpecs.get",
  "uploadedFiles.put",
  "uploadedFiles.get",
  "integrationAssets.get"
]

export interface Operation {
  readonly name: string
  /** Route of the API. */
  readonly route: string
  readonly least: Least
  readonly method: Method
  readonly path: (things: Things) => string
  readonly body: (things: Things) => unknown
  readonly success: number
  readonly unseen: number
  readonly guest: number
  /** True if the operation is on an organization, which guests can view; false for content. */
  readonly ofOrganization: boolean
  /** Distinguishes several requests of one operation. */
  readonly says: string
}

/** Parameters that name an organization or its resources. */
const ownersOf = new Set([":organizationId", ":integrationName"])

const endpointNamed = (name: string) => endpoints.find((endpoint) => endpoint.name === name)

/** All requests of the table. Rows without an existing endpoint are left out; see `unknown`. */
export const operations: ReadonlyArray<Operation> = rows.flatMap(([least, named]) =>
  Object.entries(named).flatMap(([name, requests]) => {
    const endpoint = endpointNamed(name)
    if (endpoint === undefined) return []
    return [requests].flat().map((request: Request): Operation => {
      const { body, query, unseen = 404, guest = endpoint.segments.includes(":siteId") ? 404 : 403 } = request
      return {
        name,
        route: endpoint.segments.join("/"),
        least,
        method: endpoint.method as Method,
        path: (things) =>
          endpoint.segments
            .map((segment) => (segment.startsWith(":") ? fill(name, segment.slice(1), things) : segment))
            .join("/") + (query === undefined ? "" : `?${typeof query === "function" ? query(things) : query}`),
        body: (things) => (typeof body === "function" ? body(things) : body),
        success: request.success ?? (endpoint.method === "DELETE" ? 204 : 200),
        unseen,
        guest,
        ofOrganization: endpoint.segments.some((segment) => ownersOf.has(segment)),
        says: `${endpoint.method} ${endpoint.segments.join("/")} ${(typeof query === "function" ? "?…" : query) ?? (typeof body === "function" ? "…" : (JSON.stringify(body) ?? ""))}`
      }
    })
  })
)

/** Endpoints without a row, rows without an endpoint, and endpoints with several rows. */
export const gaps = (): ReadonlyArray<string> => {
  const named = [...rows.flatMap(([, operations]) => Object.keys(operations)), ...signed]
  return [
    ...endpoints.map(({ name }) => name).filter((name) => !named.includes(name)),
    ...named.filter((name, i) => endpointNamed(name) === undefined || named.indexOf(name) !== i)
  ]
}

const fill = (name: string, parameter: string, things: Things): string => {
  const values: Readonly<Record<string, string>> = {
    organizationId: things.org,
    spaceId: things.space,
    changeRequestId: things.cr,
    conflictId: things.conflict,
    pageId: things.page,
    pagePath: "page",
    fileId: things.file,
    revisionId: things.revision,
    collectionId: things.collection,
    userId: name === "users.update" ? "nobody" : name.startsWith("members.") ? things.member : things.user,
    teamId: things.team,
    commentId: name.startsWith("changeRequest") ? things.crComment : things.comment,
    commentReplyId: name.startsWith("changeRequest") ? things.crReply : things.reply,
    reviewId: things.review,
    checkName: "build",
    siteId: things.site,
    siteSectionId: things.section,
    siteSectionGroupId: things.group,
    siteSpaceId: things.siteSpace,
    shareLinkId: things.link,
    siteRedirectId: things.redirect,
    hostname: things.hostname,
    subdomain: things.subdomain,
    specSlug: things.spec,
    versionId: things.specVersion,
    glossaryEntryId: "none",
    fontId: "none",
    emailDomain: "nobody.example.com",
    importRunId: things.importRun,
    translationId: things.translation,
    samlProviderId: things.provider,
    oidcProviderId: things.oidcProvider,
    webhookId: things.webhook,
    deliveryId: "none",
    inviteId: name.startsWith("inviteLinks.") ? things.inviteLink : things.invite,
    sessionId: "none",
    tokenId: "none",
    notificationId: "none",
    auditEventId: things.auditEvent,
    integrationName: things.integration,
    installationId: things.installation,
    eventId: "none"
  }
  const value = values[parameter]
  if (value === undefined) throw new Error(`Nothing to fill :${parameter} of ${name} with`)
  return value
}
