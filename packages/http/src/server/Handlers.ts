/** All groups of operations with their handlers. The compiler reports a missing group. */
import { AuditEventsHttp } from "./AuditEventsHttp.ts"
import { ChangeRequestsHttp } from "./ChangeRequestsHttp.ts"
import { ChangeRequestCommentsHttp, SpaceCommentsHttp } from "./CommentsHttp.ts"
import { ChangeRequestContentHttp, DownloadsHttp, RevisionsHttp, SpaceContentHttp } from "./ContentHttp.ts"
import { CollectionsHttp } from "./CollectionsHttp.ts"
import { EventsHttp } from "./EventsHttp.ts"
import { WebhooksHttp } from "./WebhooksHttp.ts"
import { ContentImportsHttp } from "./ContentImportsHttp.ts"
import { GitHttp } from "./GitHttp.ts"
import { CollectionGrantsHttp, SiteGrantsHttp, SpaceGrantsHttp } from "./GrantsHttp.ts"
import {
  InstallationsHttp,
  IntegrationAssetsHttp,
  IntegrationsHttp,
  PlacedIntegrationsHttp,
  SitePlacementsHttp,
  SpacePlacementsHttp
} from "./IntegrationsHttp.ts"
import { ChangeRequestLinksHttp, ContentUrlsHttp, EmbedsHttp, SpaceLinksHttp } from "./LinksHttp.ts"
import { ImportRunsHttp } from "./ImportRunsHttp.ts"
import { PushesHttp } from "./PushesHttp.ts"
import { InvitationsHttp, InviteLinksHttp } from "./InvitationsHttp.ts"
import { MembersHttp } from "./MembersHttp.ts"
import { NotificationsHttp, WatchesHttp } from "./NotificationsHttp.ts"
import { OpenApiSpecsHttp, PublishedSpecsHttp } from "./OpenApiSpecsHttp.ts"
import { EmailDomainsHttp, OrganizationsHttp, SubdomainsHttp } from "./OrganizationsHttp.ts"
import {
  AdaptiveSchemaHttp,
  CustomHostnamesHttp,
  CustomizationHttp,
  PublishedHttp,
  ExplanationsHttp,
  PreviewsHttp,
  PublishingAuthHttp,
  RedirectsHttp,
  ShareLinksHttp
} from "./PublishingHttp.ts"
import { PdfDownloadsHttp, PdfsHttp } from "./PdfsHttp.ts"
import { MergeChecksHttp } from "./MergeChecksHttp.ts"
import { ReviewsHttp } from "./ReviewsHttp.ts"
import { OidcProvidersHttp } from "./OidcProvidersHttp.ts"
import { SamlProvidersHttp } from "./SamlProvidersHttp.ts"
import { SearchHttp } from "./SearchHttp.ts"
import { SiteInsightsHttp, SiteInsightsSumsHttp } from "./SiteInsightsHttp.ts"
import { SiteSectionGroupsHttp, SiteSectionsHttp, SitesHttp, SiteSpacesHttp } from "./SitesHttp.ts"
import { SpacesHttp } from "./SpacesHttp.ts"
import { TeamsHttp } from "./TeamsHttp.ts"
import { TemplatesHttp } from "./TemplatesHttp.ts"
import { GlossariesHttp, TranslationsHttp } from "./TranslationsHttp.ts"
import { UploadedFilesHttp, UploadsHttp } from "./UploadsHttp.ts"
import { FontsHttp } from "./FontsHttp.ts"
import { UsersHttp } from "./UsersHttp.ts"
import { UserSessionsHttp } from "./UserSessionsHttp.ts"
import { UserTokensHttp } from "./UserTokensHttp.ts"
import type { Group, GroupName } from "./Group.ts"

/** Returns the groups. Does not compile if a group of the API is missing. */
const allGroups = <const G extends ReadonlyArray<Group<GroupName, any>>>(
  groups: G &
    ([Exclude<GroupName, G[number]["name"]>] extends [never] ? unknown : Exclude<GroupName, G[number]["name"]>)
): G => groups

export const groups = allGroups([
  UsersHttp,
  UserSessionsHttp,
  UserTokensHttp,
  NotificationsHttp,
  WatchesHttp,
  OrganizationsHttp,
  EmailDomainsHttp,
  SubdomainsHttp,
  ImportRunsHttp,
  PushesHttp,
  InvitationsHttp,
  InviteLinksHttp,
  UploadsHttp,
  UploadedFilesHttp,
  FontsHttp,
  AuditEventsHttp,
  EventsHttp,
  WebhooksHttp,
  MembersHttp,
  TeamsHttp,
  CollectionsHttp,
  CollectionGrantsHttp,
  SpacesHttp,
  SpaceGrantsHttp,
  ContentImportsHttp,
  GitHttp,
  SpaceContentHttp,
  SpaceLinksHttp,
  TemplatesHttp,
  SpaceCommentsHttp,
  SearchHttp,
  ChangeRequestsHttp,
  ChangeRequestContentHttp,
  ChangeRequestLinksHttp,
  ContentUrlsHttp,
  EmbedsHttp,
  ChangeRequestCommentsHttp,
  MergeChecksHttp,
  ReviewsHttp,
  RevisionsHttp,
  DownloadsHttp,
  PdfsHttp,
  PdfDownloadsHttp,
  SitesHttp,
  SiteGrantsHttp,
  SiteSectionsHttp,
  SiteSectionGroupsHttp,
  SiteSpacesHttp,
  ShareLinksHttp,
  ExplanationsHttp,
  PreviewsHttp,
  PublishingAuthHttp,
  AdaptiveSchemaHttp,
  CustomizationHttp,
  RedirectsHttp,
  PublishedHttp,
  SiteInsightsHttp,
  SiteInsightsSumsHttp,
  CustomHostnamesHttp,
  OpenApiSpecsHttp,
  TranslationsHttp,
  GlossariesHttp,
  PublishedSpecsHttp,
  SamlProvidersHttp,
  OidcProvidersHttp,
  IntegrationsHttp,
  InstallationsHttp,
  SpacePlacementsHttp,
  SitePlacementsHttp,
  PlacedIntegrationsHttp,
  IntegrationAssetsHttp
])
