/**
 * Scopes of a user's token (see `TokenScope`) for each operation: any one of them allows it, within what the user
 * may do. A token without scopes may be used for every operation. An operation without a line does not compile.
 *
 * Some parts of a body take another scope beside: who may see a space or a collection `access:write`, the
 * visibility of a site `site:publish`. The services ask for those.
 */
import type { TokenScope } from "@lectern/core/token/TokenScope"
import type { LecternApi } from "./LecternApi.ts"

type Groups = (typeof LecternApi)["groups"]

type Scopes = ReadonlyArray<TokenScope>

type OperationScopes = {
  readonly [Group in keyof Groups]: { readonly [Endpoint in keyof Groups[Group]["endpoints"]]: Scopes }
}

/** Nobody's token is asked for: a signature is, or nothing. */
const open: Scopes = []

const readUser: Scopes = ["user:read", "user:write"]
const writeUser: Scopes = ["user:write"]
const readOrganization: Scopes = ["organization:read", "organization:write"]
const writeOrganization: Scopes = ["organization:write"]
const readAudit: Scopes = ["audit:read"]
const readSpace: Scopes = ["space:metadata:read", "space:metadata:write"]
const writeSpace: Scopes = ["space:metadata:write"]
const readContent: Scopes = ["space:content:read", "space:content:write"]
const writeContent: Scopes = ["space:content:write"]
const comment: Scopes = ["space:comment:write"]
const review: Scopes = ["space:review"]
const synchronise: Scopes = ["space:git:sync"]
const readAccess: Scopes = ["access:read", "access:write"]
const writeAccess: Scopes = ["access:write"]
const readSite: Scopes = ["site:metadata:read", "site:metadata:write"]
const writeSite: Scopes = ["site:metadata:write"]
const publish: Scopes = ["site:publish"]
const readAdaptive: Scopes = ["site:adaptive:read", "site:adaptive:write"]
const writeAdaptive: Scopes = ["site:adaptive:write"]
const readSpec: Scopes = ["openapi:read", "openapi:write"]
const writeSpec: Scopes = ["openapi:write"]
const readIntegration: Scopes = ["integration:read", "integration:write"]
const writeIntegration: Scopes = ["integration:write"]

const granting = {
  give: writeAccess,
  listUsers: readAccess,
  listTeams: readAccess,
  aggregate: readAccess,
  changeUser: writeAccess,
  removeUser: writeAccess,
  changeTeam: writeAccess,
  removeTeam: writeAccess
}

const reading = {
  revision: readContent,
  pages: readContent,
  files: readContent,
  file: readContent,
  page: readContent,
  document: readContent,
  metaLinks: readContent,
  pageByPath: readContent
}

const linking = { list: readContent, ofPage: readContent, toPage: readContent, toFile: readContent }

const discussing = {
  list: readContent,
  post: comment,
  get: readContent,
  update: comment,
  remove: comment,
  listReplies: readContent,
  postReply: comment,
  getReply: readContent,
  updateReply: comment,
  removeReply: comment,
  commenters: readContent
}

const placing = {
  list: readIntegration,
  listOf: readIntegration,
  place: writeIntegration,
  get: readIntegration,
  update: writeIntegration,
  remove: writeIntegration
}

export const operationScopes: OperationScopes = {
  users: { me: readUser, get: [...readUser, ...readOrganization], updateMe: writeUser, update: writeUser },
  userTokens: { list: readUser, create: writeUser, get: readUser, revoke: writeUser },
  organizations: {
    list: readOrganization,
    create: writeOrganization,
    get: readOrganization,
    update: writeOrganization,
    join: writeUser
  },
  emailDomains: { organizations: readOrganization, list: readOrganization, prove: writeOrganization },
  subdomains: { get: readOrganization },
  members: { list: readOrganization, get: readOrganization, update: writeOrganization, remove: writeOrganization },
  invitations: {
    mine: readUser,
    list: readOrganization,
    invite: writeOrganization,
    get: [...readUser, ...readOrganization],
    accept: writeUser,
    /** Declining one's own needs `user:write`, and taking one back `organization:write`: it is one operation. */
    remove: writeOrganization
  },
  /** Whoever sees a link may let in whom it wants. */
  inviteLinks: {
    list: writeOrganization,
    create: writeOrganization,
    get: writeOrganization,
    update: writeOrganization,
    remove: writeOrganization
  },
  auditEvents: { list: readAudit, get: readAudit, actions: readAudit },
  uploads: { begin: [...writeOrganization, ...writeSite, ...writeContent] },
  uploadedFiles: { put: open, get: open },
  fonts: {
    list: [...readOrganization, ...readSite],
    create: writeOrganization,
    get: [...readOrganization, ...readSite],
    update: writeOrganization,
    remove: writeOrganization
  },
  teams: {
    list: readOrganization,
    create: writeOrganization,
    get: readOrganization,
    update: writeOrganization,
    remove: writeOrganization,
    listMembers: readOrganization,
    updateMembers: writeOrganization,
    putMember: writeOrganization,
    removeMember: writeOrganization
  },
  collections: {
    list: readSpace,
    create: writeSpace,
    get: readSpace,
    update: writeSpace,
    remove: writeSpace,
    listSpaces: readSpace,
    move: writeSpace,
    transfer: writeSpace
  },
  collectionGrants: granting,
  spaces: {
    list: readSpace,
    create: writeSpace,
    get: [...readSpace, ...readContent],
    update: writeSpace,
    remove: writeSpace,
    duplicate: writeSpace,
    restore: writeSpace,
    move: writeSpace,
    transfer: writeSpace
  },
  spaceGrants: granting,
  contentImports: { space: writeContent, changeRequest: writeContent },
  importRuns: { list: readContent, start: writeContent, get: readContent, cancel: writeContent },
  git: { import: synchronise, export: synchronise, info: [...synchronise, ...readContent] },
  spaceContent: { ...reading, computedPages: readContent, computedDocument: readContent },
  spaceLinks: linking,
  templates: { apply: writeContent },
  spaceComments: discussing,
  search: {
    organization: readContent,
    space: readContent,
    site: [...readSite, ...readContent],
    prewarm: [...readSite, ...readContent]
  },
  changeRequests: {
    list: readContent,
    listInOrganization: readContent,
    create: writeContent,
    get: readContent,
    update: writeContent,
    merge: review,
    pull: writeContent,
    write: writeContent,
    contributors: readContent,
    changes: readContent,
    pageChanges: readContent,
    resolve: writeContent
  },
  changeRequestContent: reading,
  changeRequestLinks: linking,
  embeds: { get: readContent },
  contentUrls: { find: [...readSpace, ...readContent] },
  changeRequestComments: discussing,
  reviews: {
    list: readContent,
    submit: review,
    get: readContent,
    listRequested: readContent,
    request: review,
    removeRequested: review
  },
  revisions: { ...reading, changes: readContent, pageChanges: readContent },
  downloads: { file: open, published: open },
  pdfs: { space: readContent, changeRequest: readContent },
  pdfDownloads: { pdf: open },
  sites: {
    list: readSite,
    create: writeSite,
    get: readSite,
    update: writeSite,
    remove: writeSite,
    publish,
    unpublish: publish,
    structure: readSite,
    sort: writeSite
  },
  siteGrants: granting,
  siteSections: { list: readSite, create: writeSite, update: writeSite, remove: writeSite, move: writeSite },
  siteSectionGroups: {
    list: readSite,
    create: writeSite,
    update: writeSite,
    remove: writeSite,
    addSection: writeSite,
    removeSection: writeSite,
    move: writeSite
  },
  siteSpaces: { list: readSite, add: writeSite, update: writeSite, remove: writeSite, move: writeSite },
  /** Whoever sees a link or a key may let in whom it wants. */
  shareLinks: { list: publish, create: publish, update: publish, remove: publish },
  publishingAuth: { get: publish, update: publish, regenerate: publish },
  /** Whoever opens it reads what is not published. */
  previews: { url: readContent },
  adaptiveSchema: { get: readAdaptive, put: writeAdaptive, templateConditions: readAdaptive },
  customization: {
    get: readSite,
    put: writeSite,
    getOfSiteSpace: readSite,
    patchOfSiteSpace: writeSite,
    removeOfSiteSpace: writeSite
  },
  redirects: { list: readSite, create: writeSite, writeAll: writeSite, update: writeSite, remove: writeSite },
  published: { site: readSite, redirect: readSite, url: readSite, urlByQuery: readSite },
  siteInsights: { track: readSite },
  siteInsightsSums: { aggregate: readSite },
  customHostnames: { get: readSite, prove: writeSite, remove: writeSite },
  openApiSpecs: {
    list: readSpec,
    create: writeSpec,
    get: readSpec,
    put: writeSpec,
    update: writeSpec,
    remove: writeSpec,
    versions: readSpec,
    version: readSpec,
    content: readSpec,
    rawContent: readSpec
  },
  publishedSpecs: { get: open },
  glossaries: { list: readContent, update: writeContent, get: readContent },
  translations: {
    list: readContent,
    create: writeContent,
    get: readContent,
    put: writeContent,
    remove: writeContent,
    run: writeContent
  },
  samlProviders: {
    list: readOrganization,
    create: writeOrganization,
    get: readOrganization,
    update: writeOrganization,
    remove: writeOrganization,
    logins: readOrganization
  },
  integrations: {
    list: readIntegration,
    get: readIntegration,
    publish: writeIntegration,
    unpublish: writeIntegration,
    render: [...readIntegration, ...readContent],
    renderByPost: [...readIntegration, ...readContent],
    events: readIntegration,
    event: readIntegration,
    beginDevelopment: writeIntegration,
    endDevelopment: writeIntegration,
    queueTask: writeIntegration,
    listFor: readIntegration
  },
  installations: {
    list: readIntegration,
    install: writeIntegration,
    get: readIntegration,
    update: writeIntegration,
    uninstall: writeIntegration,
    makeToken: writeIntegration,
    listIn: readIntegration,
    statuses: readIntegration,
    status: readIntegration
  },
  spacePlacements: placing,
  sitePlacements: placing,
  placedIntegrations: {
    onSpace: readIntegration,
    blocks: [...readIntegration, ...readContent],
    onSite: readIntegration,
    scripts: [...readIntegration, ...readSite]
  },
  integrationAssets: { get: open }
}

/** Scopes of an operation; none where there is no such operation. */
export const scopesOf = (group: string, endpoint: string): ReadonlyArray<TokenScope> =>
  (operationScopes as { readonly [group: string]: { readonly [endpoint: string]: ReadonlyArray<TokenScope> } })[
    group
  ]?.[endpoint] ?? []
