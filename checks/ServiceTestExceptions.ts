/** Services without a test at the mirrored path (see `ServiceTests.ts`). */
import type { CoveredService, TestExceptions } from "./ServiceTests.ts"

/** Services that are part of another one, and ports, whose tests cover them. */
const coveredServices: ReadonlyArray<CoveredService> = [
  { service: "access/Actor", coveredBy: "access/Access" },
  { service: "change-request/store/ChangeRequestStore", coveredBy: "change-request/contents/ChangeRequestContents" },
  { service: "comment/CommentScopes", coveredBy: "comment/Comments" },
  { service: "comment/CommentTargets", coveredBy: "comment/Comments" },
  { service: "computed/ComputedSpecs", coveredBy: "computed/ComputedContents" },
  { service: "computed/ContentSpecs", coveredBy: "computed/ComputedContents" },
  { service: "fetch/GuardedFetch", coveredBy: "packages/services-node/test/NodeFetch" },
  { service: "identity/Cipher", coveredBy: "packages/adapter-sqlite/test/NodeCipher" },
  { service: "identity/SecretKey", coveredBy: "identity/KeyRotation" },
  { service: "integration/ActiveIntegrations", coveredBy: "integration/placement/PlacedIntegrations" },
  { service: "integration/IntegrationQueue", coveredBy: "integration/IntegrationLog" },
  { service: "integration/IntegrationRecords", coveredBy: "integration/IntegrationLog" },
  { service: "integration/IntegrationRuns", coveredBy: "integration/placement/IntegrationRenders" },
  { service: "integration/IntegrationRuntime", coveredBy: "integration/placement/IntegrationRenders" },
  { service: "integration/ReceiverQueues", coveredBy: "integration/IntegrationLog" },
  { service: "integration/TaskAllowance", coveredBy: "integration/IntegrationTasks" },
  { service: "mail/MailTransport", coveredBy: "mail/Mails" },
  { service: "pdf/PdfWriter", coveredBy: "pdf/Pdfs" },
  { service: "search/indexing/SearchIndexing", coveredBy: "search/SearchIndexing" },
  { service: "site/DomainNames", coveredBy: "site/CustomHostnames" },
  { service: "site/SiteAddresses", coveredBy: "site/Sites" },
  { service: "site/SitePolicy", coveredBy: "site/Sites" },
  { service: "site/SiteViews", coveredBy: "site/SiteSorting" },
  { service: "site/store/SiteStore", coveredBy: "publishing/PublishedSiteCaches" },
  { service: "space/SpacePolicy", coveredBy: "space/Spaces" },
  { service: "sso/OidcProtocol", coveredBy: "sso/OidcSignOn" },
  { service: "sso/SamlProtocol", coveredBy: "sso/SignOn" },
  { service: "storage/BlobStore", coveredBy: "packages/adapter-memory/test/MemoryStorage" },
  { service: "storage/Hasher", coveredBy: "packages/adapter-sqlite/test/NodeHasher" },
  { service: "storage/ObjectStore", coveredBy: "packages/adapter-memory/test/MemoryStorage" },
  { service: "storage/SearchIndex", coveredBy: "packages/adapter-memory/test/MemoryStorage" },
  { service: "storage/Storage", coveredBy: "packages/adapter-memory/test/MemoryStorage" },
  { service: "translation/Translator", coveredBy: "translation/Translations" },
  { service: "visitor/VisitorKeys", coveredBy: "publishing/PublishingAuths" },
  { service: "visitor/VisitorTokens", coveredBy: "publishing/urls/PublishedUrls" },
  { service: "visitor/Visitors", coveredBy: "publishing/urls/PublishedUrls" }
]

/** Services whose test is still to be written. No service is added to this list. */
const servicesWithoutTest: ReadonlyArray<string> = [
  "content/Contents",
  "content/changes/PageChanges",
  "content/edits/WriteLocks",
  "content/files/Downloads",
  "content/pages/TopLevelNames",
  "content/revisions/Revisions"
]

export const coreExceptions: TestExceptions = { covered: coveredServices, withoutTest: servicesWithoutTest }

/** No service is added to `withoutTest`. */
export const exchangeExceptions: TestExceptions = {
  covered: [{ service: "git/GitRemote", coveredBy: "git/GitSyncs" }],
  withoutTest: [
    "export/FolderExports",
    "import/ContentImports",
    "import/FolderImports",
    "import/ImportedSpecs",
    "import/SourceReader"
  ]
}
