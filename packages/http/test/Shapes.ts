/**
 * Shapes of resources as the interface's tables promise them: the required fields of each, and the types of
 * optional ones. Written apart from the schemas of the core, so that these can be wrong.
 */
import { Schema } from "effect"

export const Text = Schema.String
export const Id = Schema.String.check(
  Schema.isPattern(/^(?!\d+$)[\w-]+$/, { message: "Expected an id that is not all digits" })
)
export const DateTime = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, { message: "Expected an ISO 8601 date-time" })
)
export const Url = Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/, { message: "Expected a URL" }))
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
export const Role = Schema.Literals(["admin", "create", "review", "edit", "comment", "read"])
const maybe = Schema.optionalKey

export const kind = <const Kind extends string>(kind: Kind) => ({ object: Schema.Literal(kind) })

export const flags = <const Names extends ReadonlyArray<string>>(...names: Names) =>
  Schema.Struct(
    Object.fromEntries(names.map((name) => [name, Schema.Boolean])) as { [K in Names[number]]: typeof Schema.Boolean }
  )

export const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    code: Schema.Int,
    message: Schema.String.check(Schema.isMinLength(1)),
    issues: maybe(Schema.Array(Schema.Struct({ path: Text, message: Text })))
  })
})

export const listOf = <S extends Schema.Codec<unknown, unknown>>(item: S) =>
  Schema.Struct({ next: maybe(Schema.Struct({ page: Text })), count: Count, items: Schema.Array(item) })

/** Whatever has an id. */
export const Identified = Schema.Struct({ id: Id })
export const Described = Schema.Struct({ id: Id, description: Schema.String })

export const User = Schema.Struct({
  ...kind("user"),
  id: Id,
  displayName: Text,
  email: maybe(Text),
  photoURL: maybe(Text),
  urls: Schema.Struct({ location: Url })
})

export const Subdomain = Schema.Struct({
  ...kind("subdomain"),
  subdomain: Text,
  target: Schema.Struct({ type: Schema.Literal("organization"), organization: Id }),
  isActive: Schema.Boolean,
  urls: Schema.Struct({ location: Url })
})

export const Organization = Schema.Struct({
  ...kind("organization"),
  id: Id,
  title: Text,
  createdAt: DateTime,
  emailDomains: Schema.Array(Text),
  hostname: Text,
  type: Schema.Literals(["business", "community"]),
  useCase: Text,
  defaultRole: Schema.NullOr(Role),
  defaultContent: maybe(Schema.Struct({ type: Text, site: Text })),
  sso: Schema.Boolean,
  ai: Schema.Boolean,
  inviteLinks: Schema.Boolean,
  requireSecondFactor: Schema.Boolean,
  plan: Schema.Literal("enterprise_2024"),
  trial: Schema.Struct({ status: Schema.Literal("notapplicable") }),
  urls: Schema.Struct({ location: Url, app: Url, logo: maybe(Text) }),
  permissions: flags(
    "view",
    "admin",
    "ownTeam",
    "createContent",
    "createOpenAPISpec",
    "ingestConversations",
    "viewBilling",
    "listMembers",
    "listTeams",
    "listIntegrations",
    "listInstallations",
    "installIntegration"
  )
})

export const Space = Schema.Struct({
  ...kind("space"),
  id: Id,
  title: Text,
  emoji: Schema.String.check(Schema.isMinLength(1)),
  visibility: Schema.Literals(["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"]),
  createdAt: DateTime,
  updatedAt: DateTime,
  deletedAt: maybe(DateTime),
  editMode: Schema.Literals(["live", "locked"]),
  urls: Schema.Struct({ location: Url, app: Url, published: maybe(Url) }),
  visitorAuth: maybe(Schema.Struct({ backend: Schema.Literal("custom") })),
  organization: Id,
  parent: maybe(Id),
  /** Visitors are not told. */
  position: maybe(Text),
  language: maybe(Text),
  revision: Id,
  defaultLevel: Schema.NullOr(Role),
  /** Visitors are not told. */
  access: maybe(Schema.Literals(["inherit", "kept"])),
  comments: Count,
  changeRequests: Count,
  changeRequestsOpen: Count,
  changeRequestsDraft: Count,
  permissions: flags(
    "view",
    "access",
    "admin",
    "viewInviteLinks",
    "edit",
    "triggerGitSync",
    "comment",
    "merge",
    "review",
    "installIntegration"
  )
})

export const DeletedSpace = Schema.Struct({ space: Space, deletedBy: User, restorableUntil: DateTime })

export const DocumentShape = Schema.Struct({
  ...kind("document"),
  data: Schema.Struct({ schemaVersion: Schema.Number }),
  nodes: Schema.Array(
    Schema.Struct({ object: Text, type: Text, key: maybe(Text), nodes: maybe(Schema.Array(Schema.Unknown)) })
  )
})

export const ChangeRequest = Schema.Struct({
  ...kind("change-request"),
  id: Id,
  number: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  status: Schema.Literals(["draft", "open", "archived", "merged"]),
  subject: Text,
  description: maybe(DocumentShape),
  agentTaskId: maybe(Text),
  createdBy: User,
  createdAt: DateTime,
  updatedAt: DateTime,
  space: Id,
  revision: Id,
  revisionInitial: Id,
  revisionMergedAncestor: maybe(Id),
  revisionMerged: maybe(Id),
  comments: Count,
  outdated: Schema.Boolean,
  urls: Schema.Struct({ app: Url, location: Url })
})

export const MergeResult = Schema.Struct({ revision: Id, result: Schema.Literals(["merge", "conflicts"]) })
export const UpdateResult = Schema.Struct({ revision: Id, result: Schema.Literals(["update", "conflicts"]) })

export const File = Schema.Struct({
  ...kind("file"),
  id: Id,
  name: Text,
  contentType: Text,
  downloadURL: Url,
  size: Count,
  dimensions: maybe(Schema.Struct({ width: Schema.Int, height: Schema.Int })),
  git: maybe(Schema.Struct({ oid: Text, path: Text }))
})

export interface PageShape {
  readonly object: "page"
  readonly id: string
  readonly title: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly type: "document" | "group" | "link" | "computed"
  readonly urls: { readonly app: string }
  readonly slug?: string
  readonly path?: string
  readonly pages?: ReadonlyArray<PageShape>
  readonly emoji?: string
  readonly description?: string
  readonly markdown?: string
  readonly document?: typeof DocumentShape.Type
  readonly hidden?: boolean
}

export const Page: Schema.Codec<PageShape, unknown> = Schema.Struct({
  ...kind("page"),
  id: Id,
  title: Text,
  createdAt: DateTime,
  updatedAt: DateTime,
  type: Schema.Literals(["document", "group", "link", "computed"]),
  urls: Schema.Struct({ app: Url }),
  slug: maybe(Text),
  path: maybe(Text),
  pages: maybe(Schema.Array(Schema.suspend(() => Page))),
  emoji: maybe(Text),
  description: maybe(Text),
  markdown: maybe(Text),
  document: maybe(DocumentShape),
  hidden: maybe(Schema.Boolean)
})

export const Pages = Schema.Struct({ pages: Schema.Array(Page) })

export const Revision = Schema.Struct({
  ...kind("revision"),
  id: Id,
  parents: Schema.Array(Id),
  mergedFrom: maybe(ChangeRequest),
  pages: Schema.Array(Page),
  files: Schema.Array(File),
  reusableContents: Schema.Array(Schema.Struct({ id: Id, title: Text })),
  variables: Schema.Record(Text, Schema.Unknown),
  createdAt: DateTime,
  type: Schema.Literals(["edits", "merge", "rollback", "update", "computed"]),
  urls: Schema.Struct({ app: Url })
})

const Change = Schema.Struct({
  type: Text,
  page: maybe(Schema.Struct({ id: Id, title: Text, path: maybe(Text) })),
  file: maybe(Schema.Struct({ id: Id, name: Text })),
  attributes: maybe(Schema.Record(Text, Schema.Unknown))
})

export const Changes = Schema.Struct({
  mergedFrom: maybe(ChangeRequest),
  changes: Schema.Array(Change),
  more: maybe(Count)
})

const Around = Schema.Struct({
  key: Schema.String,
  type: Schema.String,
  title: maybe(Text),
  row: maybe(Text),
  column: maybe(Text)
})

const Conflict = Schema.Struct({
  id: Id,
  page: maybe(Id),
  field: maybe(Text),
  block: maybe(Text),
  row: maybe(Text),
  column: maybe(Text),
  inside: maybe(Schema.Array(Around)),
  keep: Schema.Array(Schema.Literals(["main", "ours", "both"])),
  base: Schema.Unknown,
  main: Schema.Unknown,
  ours: Schema.Unknown
})

export const PageChanges = Schema.Struct({
  object: Schema.Literal("page-changes"),
  id: Schema.String,
  title: Schema.String,
  changes: Schema.Array(
    Schema.Struct({
      type: Schema.Literals(["block_added", "block_removed", "block_moved", "block_edited"]),
      row: maybe(Text),
      column: maybe(Text),
      inside: maybe(Schema.Array(Around)),
      block: Schema.optionalKey(Schema.Struct({ object: Schema.Literal("block"), type: Schema.String })),
      before: Schema.optionalKey(Schema.Struct({ object: Schema.Literal("block"), type: Schema.String })),
      after: Schema.optionalKey(Schema.Struct({ object: Schema.Literal("block"), type: Schema.String })),
      moved: Schema.optionalKey(Schema.Boolean),
      text: Schema.optionalKey(Schema.Array(Schema.Struct({ kind: Schema.String, text: Schema.String })))
    })
  ),
  more: Schema.optionalKey(Schema.Number)
})

export const ChangeRequestChanges = Schema.Struct({ ...Changes.fields, conflicts: Schema.Array(Conflict) })

export const ContentUpdate = Schema.Struct({
  changeRequest: ChangeRequest,
  changes: Schema.Array(
    Schema.Struct({
      object: Schema.Literals(["created_page", "updated_page", "deleted_page"]),
      ref: maybe(Text),
      page: Schema.Union([Id, Schema.Struct({ ...kind("page"), id: Id, urls: Schema.Struct({ location: Url }) })])
    })
  ),
  insertedFiles: maybe(Schema.Array(File)),
  warnings: maybe(Schema.Array(Schema.Struct({ page: Id, message: Text })))
})

export const Collection = Schema.Struct({
  ...kind("collection"),
  id: Id,
  title: Text,
  description: maybe(Text),
  organization: Id,
  parent: maybe(Id),
  position: Text,
  defaultLevel: Schema.NullOr(Role),
  access: Schema.Literals(["inherit", "kept"]),
  urls: Schema.Struct({ location: Url, app: Url }),
  permissions: flags("view", "admin", "viewInviteLinks", "create")
})

export const Member = Schema.Struct({
  ...kind("member"),
  id: Id,
  role: Schema.NullOr(Role),
  user: User,
  disabled: Schema.Boolean,
  joinedAt: DateTime,
  lastSeenAt: maybe(DateTime),
  sso: Schema.Boolean,
  spaces: Count,
  teams: Count
})

export const Invitation = Schema.Struct({
  ...kind("invite"),
  id: Id,
  email: Text,
  role: Schema.NullOr(Role),
  organization: Schema.Struct({ id: Id, title: Text }),
  createdAt: DateTime,
  urls: Schema.Struct({ location: Url })
})

export const GlossaryEntry = Schema.Struct({
  ...kind("glossary-entry"),
  id: Id,
  translations: Schema.Record(Schema.String, Schema.String),
  createdAt: DateTime,
  updatedAt: DateTime,
  urls: Schema.Struct({ location: Url })
})

export const ImportRun = Schema.Struct({
  ...kind("import-run"),
  id: Id,
  status: Text,
  reason: Schema.optionalKey(Text),
  createdBy: Schema.optionalKey(Id),
  createdAt: DateTime,
  updatedAt: DateTime,
  startedAt: Schema.optionalKey(DateTime),
  completedAt: Schema.optionalKey(DateTime),
  source: Schema.Union([
    Schema.Struct({ type: Schema.Literal("website"), url: Url }),
    Schema.Struct({ type: Schema.Literal("file"), files: Schema.Array(Id) })
  ]),
  target: Schema.Struct({ space: Id, changeRequest: Schema.optionalKey(Id) }),
  urls: Schema.Struct({ location: Url })
})

export const EmailDomain = Schema.Struct({
  ...kind("email-domain"),
  domain: Text,
  proved: Schema.Boolean,
  proof: Schema.Struct({ type: Schema.Literal("TXT"), name: Text, value: Text }),
  problem: Schema.optionalKey(Text)
})

export const BegunUpload = Schema.Struct({ ...kind("storage-signed-url"), url: Url, key: Id })

export const StoredFile = Schema.Struct({
  ...kind("storage-file"),
  key: Id,
  kind: Text,
  name: Text,
  contentType: Text,
  size: Count,
  urls: Schema.Struct({ public: Schema.optionalKey(Url) })
})

export const Font = Schema.Struct({
  id: Id,
  custom: Schema.Literal(true),
  fontFamily: Text,
  fontFaces: Schema.Array(
    Schema.Struct({ weight: Count, sources: Schema.Array(Schema.Struct({ url: Url, format: Text })) })
  ),
  permissions: Schema.Struct({ edit: Schema.Boolean })
})

export const InviteLink = Schema.Struct({
  ...kind("invite"),
  id: Id,
  role: Schema.NullOr(Role),
  redundant: Schema.Boolean,
  createdAt: DateTime,
  expiresAt: DateTime,
  urls: Schema.Struct({ location: Url })
})

export const InviteResult = Schema.Struct({
  users: Schema.Array(Id),
  invited: Count,
  invites: Schema.Array(Invitation)
})

export const UserPermission = Schema.Struct({ permission: Role, user: User })

export const Team = Schema.Struct({
  ...kind("team"),
  id: Id,
  title: Text,
  members: Count,
  spaces: Count,
  createdAt: DateTime,
  permissions: flags("admin", "view")
})

export const TeamPermission = Schema.Struct({ permission: Role, team: Team })

export const SearchResult = Schema.Struct({
  ...kind("search-page-result"),
  id: Id,
  title: Text,
  path: Text,
  sections: Schema.Array(
    Schema.Struct({ id: Text, title: Text, path: Text, body: Text, urls: Schema.Struct({ app: Url }) })
  ),
  urls: Schema.Struct({ app: Url }),
  description: Text,
  score: Schema.Finite,
  rank: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  resultType: Schema.Literals(["page", "section"]),
  ancestors: Schema.Array(Schema.Struct({ title: Text }))
})

const SitePath = Schema.String.check(
  Schema.isPattern(/^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,100}$/, { message: "Expected one segment of a URL" })
)
/** Of a published site or a part of it: it ends with a slash, so that paths go behind it. */
const BaseUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/\S+\/$/, { message: "Expected a URL with a slash at its end" })
)
const PublishedUrls = Schema.Struct({ published: maybe(BaseUrl) })

const PendingAddress = Schema.Struct({
  type: Schema.Literals(["hostname", "proxy"]),
  name: Text,
  proof: Schema.Struct({
    dns: Schema.Struct({ type: Schema.Literal("TXT"), name: Text, value: Text }),
    http: Schema.Struct({ url: Text, body: Text })
  }),
  checkedAt: maybe(DateTime),
  problem: maybe(Text)
})

export const Site = Schema.Struct({
  ...kind("site"),
  id: Id,
  type: Schema.Literals(["basic", "premium", "ultimate", "sponsored", "legacy-basic", "legacy-premium"]),
  title: Text,
  hostname: maybe(Text),
  basename: SitePath,
  proxy: maybe(Schema.Struct({ origin: Text, target: Url })),
  visibility: Schema.Literals(["public", "unlisted", "share-link", "visitor-auth"]),
  published: Schema.Boolean,
  pendingAddresses: maybe(Schema.Array(PendingAddress)),
  siteSpaces: Count,
  createdAt: DateTime,
  adaptiveContent: Schema.Struct({ enabled: Schema.Boolean }),
  agentsContext: Schema.Literals(["excluded", "included"]),
  features: Schema.Tuple([]),
  urls: Schema.Struct({ location: Url, app: Url, published: maybe(BaseUrl), login: maybe(Url), logout: maybe(Url) }),
  permissions: flags("view", "admin")
})

export const SiteSpace = Schema.Struct({
  ...kind("site-space"),
  id: Id,
  path: SitePath,
  section: maybe(Id),
  space: Space,
  title: Text,
  default: Schema.Boolean,
  condition: maybe(Text),
  hasAdvancedCustomizationFeature: Schema.Boolean,
  urls: PublishedUrls
})

export const SiteSection = Schema.Struct({
  ...kind("site-section"),
  id: Id,
  title: Text,
  description: maybe(Text),
  default: Schema.Boolean,
  path: SitePath,
  condition: maybe(Text),
  sectionGroup: maybe(Id),
  icon: maybe(Text),
  siteSpaces: Schema.Array(SiteSpace),
  urls: PublishedUrls
})

export const SiteSectionGroup = Schema.Struct({
  ...kind("site-section-group"),
  id: Id,
  title: Text,
  icon: maybe(Text),
  sections: Schema.Array(SiteSection),
  children: Schema.Array(SiteSection)
})

export const Structure = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("sections"),
    structure: Schema.Array(Schema.Union([SiteSection, SiteSectionGroup]))
  }),
  Schema.Struct({ type: Schema.Literal("siteSpaces"), structure: Schema.Array(SiteSpace) })
])

export const ShareLink = Schema.Struct({
  ...kind("share-link"),
  id: Id,
  createdAt: DateTime,
  name: Text,
  active: Schema.Boolean,
  urls: Schema.Struct({ published: BaseUrl })
})

export const PreviewUrl = Schema.Struct({ url: Url })

export const PublishingAuth = Schema.Struct({
  ...kind("publishing-auth"),
  backend: Schema.Literals(["custom", "integration"]),
  privateKey: Schema.String.check(Schema.isMinLength(20)),
  fallbackURL: maybe(Url),
  logoutURL: maybe(Url),
  integration: maybe(Text)
})

export const AdaptiveSchema = Schema.Struct({
  ...kind("site-adaptive-schema"),
  jsonSchema: Schema.Struct({
    type: Schema.Literal("object"),
    properties: Schema.Record(Text, Schema.Unknown),
    additionalProperties: Schema.Literal(false)
  }),
  updatedAt: DateTime
})

export const TemplateConditions = Schema.Struct({
  items: Schema.Array(Schema.Struct({ ...kind("template-condition"), description: Text, condition: Text }))
})

const Colors = Schema.Struct({ light: Text, dark: Text })
const Choice = <const Names extends ReadonlyArray<string>>(...names: Names) =>
  Schema.Struct(
    Object.fromEntries(names.map((name) => [name, Schema.String])) as { [K in Names[number]]: typeof Schema.String }
  )

export const Customization = Schema.Struct({
  title: maybe(Text),
  styling: Schema.Struct({
    ...Choice("theme", "corners", "depth", "links", "background", "icons", "search").fields,
    primaryColor: Colors,
    infoColor: Colors,
    successColor: Colors,
    warningColor: Colors,
    dangerColor: Colors,
    codeTheme: Schema.Struct({ default: Choice("light", "dark"), openapi: Choice("light", "dark") }),
    sidebar: Choice("background", "list")
  }),
  internationalization: Choice("locale"),
  favicon: Schema.Struct({ emoji: maybe(Text) }),
  header: Schema.Struct({ preset: Text, links: Schema.Array(Schema.Unknown) }),
  footer: Schema.Struct({ groups: Schema.Array(Schema.Unknown), copyright: maybe(Text) }),
  socialAccounts: Schema.Array(Schema.Unknown),
  themes: Schema.Struct({ default: Schema.Literals(["light", "dark", "system"]), toggeable: Schema.Boolean }),
  pdf: flags("enabled"),
  feedback: flags("enabled"),
  ai: Choice("mode"),
  advancedCustomization: flags("enabled"),
  git: flags("showEditLink"),
  pageActions: Schema.Struct({ ...flags("externalAI", "markdown", "mcp").fields, items: Schema.Array(Text) }),
  externalLinks: Choice("target"),
  pagination: flags("enabled"),
  trademark: flags("enabled"),
  privacyPolicy: Schema.Struct({ url: maybe(Url) }),
  socialPreview: Schema.Struct({ url: maybe(Url) }),
  insights: flags("trackingCookie")
})

export const SiteSearchResult = Schema.Struct({
  type: Schema.Literal("space"),
  id: Id,
  title: Text,
  score: Schema.Finite,
  pages: Schema.Array(SearchResult)
})

export const SiteSpaceCustomization = Schema.Struct({ ...Customization.fields, hasOverrides: Schema.Boolean })

export const Redirect = Schema.Struct({
  ...kind("site-redirect"),
  id: Id,
  source: Schema.String.check(Schema.isPattern(/^\//)),
  destination: Schema.Union([
    Schema.Struct({ kind: Schema.Literal("site-section"), siteSectionId: Id }),
    Schema.Struct({ kind: Schema.Literal("site-space"), siteSpaceId: Id }),
    Schema.Struct({ kind: Schema.Literal("site-page"), siteSpaceId: Id, pageId: Id }),
    Schema.Struct({ kind: Schema.Literal("external"), url: Url })
  ]),
  draft: Schema.Boolean,
  permanent: Schema.Boolean,
  captureWildcard: Schema.Boolean,
  createdAt: DateTime,
  updatedAt: maybe(DateTime)
})

export const RedirectTarget = Schema.Struct({ redirect: Redirect, target: Url })

export const SiteScripts = Schema.Array(
  Schema.Struct({ script: Url, contentSecurityPolicy: maybe(Text), cookies: Schema.Boolean })
)

export const PublishedSite = Schema.Struct({
  ...kind("published-content-site"),
  site: Site,
  structure: Structure,
  customizations: Schema.Struct({ site: Customization, siteSpaces: Schema.Record(Text, Customization) }),
  scripts: SiteScripts
})

export const PublishedUrl = Schema.Struct({
  ...kind("published-url"),
  organization: Id,
  site: Id,
  siteSection: maybe(Id),
  siteSpace: Id,
  space: Id,
  page: maybe(Id),
  pathname: Schema.String.check(Schema.isPattern(/^\//)),
  basePath: Schema.String.check(Schema.isPattern(/^\/(.*\/)?$/)),
  siteBasePath: Schema.String.check(Schema.isPattern(/^\/(.*\/)?$/)),
  canonicalUrl: Url,
  shareKey: maybe(Text),
  preview: maybe(Schema.Boolean),
  changeRequest: maybe(Id),
  complete: Schema.Boolean,
  contextId: maybe(Text),
  apiToken: Schema.String.check(Schema.isPattern(/^[\w-]+\.[\w-]+\.[\w-]+$/)),
  session: maybe(Schema.Struct({ name: Text, value: Text, path: Text, maxAge: Count }))
})

export const PublishedRedirect = Schema.Struct({ target: Schema.Literals(["content", "external"]), redirect: Url })

export const CustomHostname = Schema.Struct({
  ...kind("custom-hostname"),
  hostname: Text,
  target: Schema.Struct({ type: Schema.Literal("site"), site: Id }),
  isActive: Schema.Boolean,
  status: maybe(Schema.Literal("dns_passed")),
  pending: maybe(PendingAddress),
  urls: Schema.Struct({ location: Url })
})

export const Token = Schema.Struct({
  ...kind("token"),
  id: Id,
  user: Id,
  name: maybe(Text),
  scopes: maybe(Schema.Array(Text)),
  createdAt: DateTime,
  expiresAt: maybe(DateTime),
  revokedAt: maybe(DateTime),
  lastUsedAt: maybe(DateTime),
  organization: maybe(Id),
  madeWith: maybe(Id)
})

export const MadeToken = Schema.Struct({ ...Token.fields, token: Text })

const AuditParty = Schema.Struct({ type: Text, id: Text, label: maybe(Text), token: maybe(Id) })

export const AuditEvent = Schema.Struct({
  ...kind("audit-event"),
  id: Id,
  occurredAt: DateTime,
  action: Text,
  actor: AuditParty,
  source: Schema.Literals(["api", "integration", "script", "workflow"]),
  target: AuditParty,
  correlationId: maybe(Text),
  schemaVersion: Schema.Int,
  payload: Schema.Record(Schema.String, Schema.Json),
  urls: Schema.Struct({ location: Url })
})
