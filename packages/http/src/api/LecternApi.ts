/** The whole API under `/v1`. It contains only schemas, so a browser can import it. */
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { AuditEventsApi } from "./AuditEventsApi.ts"
import { EventsApi } from "./EventsApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"
import { ChangeRequestsApi } from "./ChangeRequestsApi.ts"
import { ChangeRequestCommentsApi, SpaceCommentsApi } from "./CommentsApi.ts"
import { ChangeRequestContentApi, DownloadsApi, RevisionsApi, SpaceContentApi } from "./ContentApi.ts"
import { CollectionsApi } from "./CollectionsApi.ts"
import { ContentImportsApi } from "./ContentImportsApi.ts"
import { FontsApi } from "./FontsApi.ts"
import { GitApi } from "./GitApi.ts"
import { CollectionGrantsApi, SiteGrantsApi, SpaceGrantsApi } from "./GrantsApi.ts"
import {
  InstallationsApi,
  IntegrationAssetsApi,
  IntegrationsApi,
  PlacedIntegrationsApi,
  SitePlacementsApi,
  SpacePlacementsApi
} from "./IntegrationsApi.ts"
import { ChangeRequestLinksApi, ContentUrlsApi, EmbedsApi, SpaceLinksApi } from "./LinksApi.ts"
import { ImportRunsApi } from "./ImportRunsApi.ts"
import { PushesApi } from "./PushesApi.ts"
import { InvitationsApi, InviteLinksApi } from "./InvitationsApi.ts"
import { MembersApi } from "./MembersApi.ts"
import { MergeChecksApi } from "./MergeChecksApi.ts"
import { NotificationsApi, WatchesApi } from "./NotificationsApi.ts"
import { OpenApiSpecsApi, PublishedSpecsApi } from "./OpenApiSpecsApi.ts"
import { EmailDomainsApi, OrganizationsApi, SubdomainsApi } from "./OrganizationsApi.ts"
import { PdfDownloadsApi, PdfsApi } from "./PdfsApi.ts"
import { ReviewsApi } from "./ReviewsApi.ts"
import { OidcProvidersApi } from "./OidcProvidersApi.ts"
import { SamlProvidersApi } from "./SamlProvidersApi.ts"
import { SearchApi } from "./SearchApi.ts"
import {
  AdaptiveSchemaApi,
  CustomHostnamesApi,
  CustomizationApi,
  ExplanationsApi,
  PreviewsApi,
  PublishedApi,
  PublishingAuthApi,
  RedirectsApi,
  ShareLinksApi
} from "./PublishingApi.ts"
import { SiteInsightsApi, SiteInsightsSumsApi } from "./SiteInsightsApi.ts"
import { SiteSectionGroupsApi, SiteSectionsApi, SitesApi, SiteSpacesApi } from "./SitesApi.ts"
import { SpacesApi } from "./SpacesApi.ts"
import { TeamsApi } from "./TeamsApi.ts"
import { TemplatesApi } from "./TemplatesApi.ts"
import { UserSessionsApi } from "./UserSessionsApi.ts"
import { UserTokensApi } from "./UserTokensApi.ts"
import { GlossariesApi, TranslationsApi } from "./TranslationsApi.ts"
import { UploadedFilesApi, UploadsApi } from "./UploadsApi.ts"
import { UsersApi } from "./UsersApi.ts"

/** Listed explicitly, since the inferred type is too long for a declaration file. */
type Groups =
  | typeof UsersApi
  | typeof UserSessionsApi
  | typeof UserTokensApi
  | typeof NotificationsApi
  | typeof WatchesApi
  | typeof OrganizationsApi
  | typeof EmailDomainsApi
  | typeof SubdomainsApi
  | typeof MembersApi
  | typeof InvitationsApi
  | typeof InviteLinksApi
  | typeof UploadsApi
  | typeof UploadedFilesApi
  | typeof FontsApi
  | typeof AuditEventsApi
  | typeof EventsApi
  | typeof WebhooksApi
  | typeof TeamsApi
  | typeof CollectionsApi
  | typeof CollectionGrantsApi
  | typeof SpacesApi
  | typeof SpaceGrantsApi
  | typeof ContentImportsApi
  | typeof ImportRunsApi
  | typeof PushesApi
  | typeof GitApi
  | typeof SpaceContentApi
  | typeof SpaceLinksApi
  | typeof TemplatesApi
  | typeof SpaceCommentsApi
  | typeof SearchApi
  | typeof ChangeRequestsApi
  | typeof ChangeRequestContentApi
  | typeof ChangeRequestLinksApi
  | typeof ContentUrlsApi
  | typeof EmbedsApi
  | typeof ChangeRequestCommentsApi
  | typeof ReviewsApi
  | typeof MergeChecksApi
  | typeof RevisionsApi
  | typeof DownloadsApi
  | typeof PdfsApi
  | typeof PdfDownloadsApi
  | typeof SitesApi
  | typeof SiteGrantsApi
  | typeof SiteSectionsApi
  | typeof SiteSectionGroupsApi
  | typeof SiteSpacesApi
  | typeof ShareLinksApi
  | typeof ExplanationsApi
  | typeof PreviewsApi
  | typeof PublishingAuthApi
  | typeof AdaptiveSchemaApi
  | typeof CustomizationApi
  | typeof RedirectsApi
  | typeof PublishedApi
  | typeof SiteInsightsApi
  | typeof SiteInsightsSumsApi
  | typeof CustomHostnamesApi
  | typeof OpenApiSpecsApi
  | typeof PublishedSpecsApi
  | typeof TranslationsApi
  | typeof GlossariesApi
  | typeof SamlProvidersApi
  | typeof OidcProvidersApi
  | typeof IntegrationsApi
  | typeof InstallationsApi
  | typeof SpacePlacementsApi
  | typeof SitePlacementsApi
  | typeof PlacedIntegrationsApi
  | typeof IntegrationAssetsApi

const listPath: HttpApi.HttpApi<"lectern", HttpApiGroup.AddPrefix<Groups, "/v1">> = HttpApi.make("lectern")
  .add(UsersApi)
  .add(UserSessionsApi)
  .add(UserTokensApi)
  .add(NotificationsApi)
  .add(WatchesApi)
  .add(OrganizationsApi)
  .add(EmailDomainsApi)
  .add(SubdomainsApi)
  .add(MembersApi)
  .add(InvitationsApi)
  .add(InviteLinksApi)
  .add(UploadsApi)
  .add(UploadedFilesApi)
  .add(FontsApi)
  .add(AuditEventsApi)
  .add(EventsApi)
  .add(WebhooksApi)
  .add(TeamsApi)
  .add(CollectionsApi)
  .add(CollectionGrantsApi)
  .add(SpacesApi)
  .add(SpaceGrantsApi)
  .add(ContentImportsApi)
  .add(ImportRunsApi)
  .add(PushesApi)
  .add(GitApi)
  .add(SpaceContentApi)
  .add(SpaceLinksApi)
  .add(TemplatesApi)
  .add(SpaceCommentsApi)
  .add(SearchApi)
  .add(ChangeRequestsApi)
  .add(ChangeRequestContentApi)
  .add(ChangeRequestLinksApi)
  .add(ContentUrlsApi)
  .add(EmbedsApi)
  .add(ChangeRequestCommentsApi)
  .add(ReviewsApi)
  .add(MergeChecksApi)
  .add(RevisionsApi)
  .add(DownloadsApi)
  .add(PdfsApi)
  .add(PdfDownloadsApi)
  .add(SitesApi)
  .add(SiteGrantsApi)
  .add(SiteSectionsApi)
  .add(SiteSectionGroupsApi)
  .add(SiteSpacesApi)
  .add(ShareLinksApi)
  .add(ExplanationsApi)
  .add(PreviewsApi)
  .add(PublishingAuthApi)
  .add(AdaptiveSchemaApi)
  .add(CustomizationApi)
  .add(RedirectsApi)
  .add(PublishedApi)
  .add(SiteInsightsApi)
  .add(SiteInsightsSumsApi)
  .add(CustomHostnamesApi)
  .add(OpenApiSpecsApi)
  .add(PublishedSpecsApi)
  .add(TranslationsApi)
  .add(GlossariesApi)
  .add(SamlProvidersApi)
  .add(OidcProvidersApi)
  .add(IntegrationsApi)
  .add(InstallationsApi)
  .add(SpacePlacementsApi)
  .add(SitePlacementsApi)
  .add(PlacedIntegrationsApi)
  .add(IntegrationAssetsApi)
  .prefix("/v1")
  .annotateMerge(
    OpenApi.annotations({
      title: "Lectern",
      version: "1",
      description: "Documentation hosting that people own: spaces, change requests, their content, and docs sites."
    })
  )

export class LecternApi extends listPath {}
