/** Every operation of the interface, through the whole application, over each adapter. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { NodePdfWriter } from "../../services-node/src/pdf/NodePdfWriter.ts"
import { endpoints } from "./Endpoints.ts"
import { Harness, onEachAdapter, type Services } from "./Harness.ts"
import { changeRequestOperations } from "./operations/ChangeRequestOperations.ts"
import { collectionOperations } from "./operations/CollectionOperations.ts"
import { commentOperations } from "./operations/CommentOperations.ts"
import { contentOperations } from "./operations/ContentOperations.ts"
import { gitOperations } from "./operations/GitOperations.ts"
import { importOperations } from "./operations/ImportOperations.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"
import { installationOperations } from "./operations/InstallationOperations.ts"
import { integrationOperations } from "./operations/IntegrationOperations.ts"
import { integrationRunOperations } from "./operations/IntegrationRunOperations.ts"
import { linkOperations } from "./operations/LinkOperations.ts"
import { openApiOperations } from "./operations/OpenApiOperations.ts"
import { pdfOperations } from "./operations/PdfOperations.ts"
import { notificationOperations } from "./operations/NotificationOperations.ts"
import { audienceOperations } from "./operations/AudienceOperations.ts"
import { publishingOperations } from "./operations/PublishingOperations.ts"
import { pushOperations } from "./operations/PushOperations.ts"
import { redirectOperations } from "./operations/RedirectOperations.ts"
import { mergeCheckOperations } from "./operations/MergeCheckOperations.ts"
import { reviewOperations } from "./operations/ReviewOperations.ts"
import { oidcOperations } from "./operations/OidcOperations.ts"
import { samlOperations } from "./operations/SamlOperations.ts"
import { searchOperations } from "./operations/SearchOperations.ts"
import { siteLookOperations } from "./operations/SiteLookOperations.ts"
import { siteOperations } from "./operations/SiteOperations.ts"
import { spaceOperations } from "./operations/SpaceOperations.ts"
import { teamOperations } from "./operations/TeamOperations.ts"
import { templateOperations } from "./operations/TemplateOperations.ts"
import { userOperations } from "./operations/UserOperations.ts"
import { uploadOperations } from "./operations/UploadOperations.ts"
import { eventOperations } from "./operations/EventOperations.ts"
import { auditOperations } from "./operations/AuditOperations.ts"
import { sessionOperations } from "./operations/SessionOperations.ts"
import { tokenOperations } from "./operations/TokenOperations.ts"
import { translationOperations } from "./operations/TranslationOperations.ts"

const operations = (it: Vitest.MethodsNonLive<Services>) => {
  userOperations(it)
  sessionOperations(it)
  tokenOperations(it)
  notificationOperations(it)
  auditOperations(it)
  eventOperations(it)
  spaceOperations(it)
  collectionOperations(it)
  changeRequestOperations(it)
  contentOperations(it)
  linkOperations(it)
  integrationOperations(it)
  installationOperations(it)
  integrationRunOperations(it)
  templateOperations(it)
  commentOperations(it)
  reviewOperations(it)
  mergeCheckOperations(it)
  teamOperations(it)
  searchOperations(it)
  siteOperations(it)
  publishingOperations(it)
  pushOperations(it)
  audienceOperations(it)
  siteLookOperations(it)
  redirectOperations(it)
  openApiOperations(it)
  pdfOperations(it)
  uploadOperations(it)
  importOperations(it)
  gitOperations(it)
  samlOperations(it)
  oidcOperations(it)
  translationOperations(it)

  it.effect("has answered at every endpoint that there is: a new one needs a test", () =>
    Effect.gen(function* () {
      const { succeeded } = yield* Harness
      assert.isAbove(endpoints.length, 30)
      assert.deepStrictEqual(
        endpoints.map(({ name }) => name).filter((name) => !succeeded.has(name)),
        []
      )
    })
  )
}

onEachAdapter("Operations", operations, { pdfWriter: NodePdfWriter.layer(), integrationRuntime: UnsafeRuntime.layer })
