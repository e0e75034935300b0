/**
 * All concepts with events, dependent rows of spaces or sites, references to objects or blobs, or sealed fields. A new
 * concept is added here, and its services in `Lectern.ts`.
 */
import { adaptiveConcept } from "./adaptive/AdaptiveConcept.ts"
import { changeRequestConcept } from "./change-request/ChangeRequestConcept.ts"
import { collectionConcept } from "./collection/CollectionConcept.ts"
import { commentConcept } from "./comment/CommentConcept.ts"
import { computedConcept } from "./computed/ComputedConcept.ts"
import { contentConcept } from "./content/ContentConcept.ts"
import { customizationConcept } from "./customization/CustomizationConcept.ts"
import { exchangeConcept } from "./exchange/ExchangeConcept.ts"
import { fontConcept } from "./font/FontConcept.ts"
import { grantConcept } from "./grant/GrantConcept.ts"
import { identityConcept } from "./identity/IdentityConcept.ts"
import { insightsConcept } from "./insights/InsightsConcept.ts"
import { integrationConcept } from "./integration/IntegrationConcept.ts"
import { linkCheckConcept } from "./link-check/LinkCheckConcept.ts"
import { mailConcept } from "./mail/MailConcept.ts"
import { mergeCheckConcept } from "./merge-check/MergeCheckConcept.ts"
import { notificationConcept } from "./notification/NotificationConcept.ts"
import { openApiConcept } from "./openapi/OpenApiConcept.ts"
import { organizationConcept } from "./organization/OrganizationConcept.ts"
import { pdfConcept } from "./pdf/PdfConcept.ts"
import { publishingConcept } from "./publishing/PublishingConcept.ts"
import { redirectConcept } from "./redirect/RedirectConcept.ts"
import { reviewConcept } from "./review/ReviewConcept.ts"
import { searchConcept } from "./search/SearchConcept.ts"
import { siteConcept } from "./site/SiteConcept.ts"
import { spaceConcept } from "./space/SpaceConcept.ts"
import { signInConcept } from "./sign-in/SignInConcept.ts"
import { signOnConcept } from "./sso/SignOnConcept.ts"
import { teamConcept } from "./team/TeamConcept.ts"
import { translationConcept } from "./translation/TranslationConcept.ts"
import { uploadConcept } from "./upload/UploadConcept.ts"
import { webhookConcept } from "./webhook/WebhookConcept.ts"

export const concepts = [
  adaptiveConcept,
  changeRequestConcept,
  collectionConcept,
  commentConcept,
  computedConcept,
  contentConcept,
  customizationConcept,
  exchangeConcept,
  fontConcept,
  grantConcept,
  identityConcept,
  insightsConcept,
  integrationConcept,
  linkCheckConcept,
  mailConcept,
  mergeCheckConcept,
  notificationConcept,
  openApiConcept,
  organizationConcept,
  pdfConcept,
  publishingConcept,
  redirectConcept,
  reviewConcept,
  searchConcept,
  siteConcept,
  spaceConcept,
  signInConcept,
  signOnConcept,
  teamConcept,
  translationConcept,
  uploadConcept,
  webhookConcept
]
