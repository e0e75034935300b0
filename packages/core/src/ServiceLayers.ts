/**
 * Layers of all services of the core, in tiers. The services of a tier use ports and services of earlier tiers only, and
 * belong into the first tier for which this is true. `serviceLayers` builds each service once and needs nothing but
 * ports; if a layer is in a tier that is too early, the compiler names the missing service in `Lectern.ts`.
 */
import { Layer } from "effect"
import { Access } from "./access/Access.ts"
import { AdaptiveSchemas } from "./adaptive/AdaptiveSchemas.ts"
import { AuditEvents } from "./audit/AuditEvents.ts"
import { AuditedEvents } from "./audit/AuditedEvents.ts"
import { ChangeRequestStore } from "./change-request/store/ChangeRequestStore.ts"
import { ChangeRequests } from "./change-request/ChangeRequests.ts"
import { ChangeRequestContents } from "./change-request/contents/ChangeRequestContents.ts"
import { Collections } from "./collection/Collections.ts"
import { CommentScopes } from "./comment/CommentScopes.ts"
import { CommentTargets } from "./comment/CommentTargets.ts"
import { Comments } from "./comment/Comments.ts"
import { ComputedContents } from "./computed/ComputedContents.ts"
import { ComputedSpecs } from "./computed/ComputedSpecs.ts"
import { ContentSpecs } from "./computed/ContentSpecs.ts"
import { Contents } from "./content/Contents.ts"
import { PageChanges } from "./content/changes/PageChanges.ts"
import { LiveEdits } from "./content/edits/LiveEdits.ts"
import { WriteLocks } from "./content/edits/WriteLocks.ts"
import { Downloads } from "./content/files/Downloads.ts"
import { LiveContents } from "./content/live/LiveContents.ts"
import { PageConditions } from "./content/pages/PageConditions.ts"
import { TopLevelNames } from "./content/pages/TopLevelNames.ts"
import { Revisions } from "./content/revisions/Revisions.ts"
import { Objects } from "./content/store/Objects.ts"
import { Customizations } from "./customization/Customizations.ts"
import { EmailDomains } from "./email-domain/EmailDomains.ts"
import { EventSubscriptions } from "./event/EventSubscriptions.ts"
import { Events } from "./event/Events.ts"
import { EventFeed } from "./feed/EventFeed.ts"
import { Fonts } from "./font/Fonts.ts"
import { Grants } from "./grant/Grants.ts"
import { Instance } from "./identity/Instance.ts"
import { PublicUrl } from "./identity/PublicUrl.ts"
import { Secrets } from "./identity/Secrets.ts"
import { SiteInsights } from "./insights/SiteInsights.ts"
import { ActiveIntegrations } from "./integration/ActiveIntegrations.ts"
import { Installations } from "./integration/Installations.ts"
import { InstalledBlocks } from "./integration/InstalledBlocks.ts"
import { InstalledSpaces } from "./integration/InstalledSpaces.ts"
import { IntegrationDevelopment } from "./integration/IntegrationDevelopment.ts"
import { IntegrationLog } from "./integration/IntegrationLog.ts"
import { IntegrationsUrl } from "./integration/IntegrationEndpoints.ts"
import { IntegrationQueue } from "./integration/IntegrationQueue.ts"
import { IntegrationRecords } from "./integration/IntegrationRecords.ts"
import { IntegrationRuns } from "./integration/IntegrationRuns.ts"
import { PlacementRemoval } from "./integration/InstallationRemoval.ts"
import { IntegrationSubscriptions } from "./integration/IntegrationSubscriptions.ts"
import { IntegrationTasks } from "./integration/IntegrationTasks.ts"
import { Integrations } from "./integration/Integrations.ts"
import { LinkUnfurling } from "./integration/LinkUnfurling.ts"
import { ReceiverQueues } from "./integration/ReceiverQueues.ts"
import { RecordAllowance } from "./integration/RecordAllowance.ts"
import { SharedEvents } from "./integration/SharedEvents.ts"
import { TaskAllowance } from "./integration/TaskAllowance.ts"
import { IntegrationRenders } from "./integration/placement/IntegrationRenders.ts"
import { Placements } from "./integration/placement/Placements.ts"
import { HostJobs } from "./job/host/HostJobs.ts"
import { JobHandlers } from "./job/JobHandlers.ts"
import { Jobs } from "./job/Jobs.ts"
import { LinkChecks } from "./link-check/LinkChecks.ts"
import { NotificationMailLists } from "./notification/NotificationMailLists.ts"
import { Notifications } from "./notification/Notifications.ts"
import { Watches } from "./notification/Watches.ts"
import { ContentUrls } from "./link/ContentUrls.ts"
import { Links } from "./link/Links.ts"
import { Mails } from "./mail/Mails.ts"
import { MergeChecks } from "./merge-check/MergeChecks.ts"
import { OpenApiSpecs } from "./openapi/OpenApiSpecs.ts"
import { Invitations } from "./organization/Invitations.ts"
import { InviteLinks } from "./organization/InviteLinks.ts"
import { Members } from "./organization/Members.ts"
import { Organizations } from "./organization/Organizations.ts"
import { Paging } from "./paging/Paging.ts"
import { Pdfs } from "./pdf/Pdfs.ts"
import { Previews } from "./publishing/Previews.ts"
import { PublishedSites } from "./publishing/PublishedSites.ts"
import { PublishingAuths } from "./publishing/PublishingAuths.ts"
import { ShareLinks } from "./publishing/ShareLinks.ts"
import { Explanations } from "./publishing/explanation/Explanations.ts"
import { PublishedUrls } from "./publishing/urls/PublishedUrls.ts"
import { Redirects } from "./redirect/Redirects.ts"
import { Reviews } from "./review/Reviews.ts"
import { Searches } from "./search/Searches.ts"
import { SearchIndexing } from "./search/indexing/SearchIndexing.ts"
import { CustomHostnames } from "./site/CustomHostnames.ts"
import { SitesUrl } from "./site/SiteAddress.ts"
import { SiteAddresses } from "./site/SiteAddresses.ts"
import { SitePolicy } from "./site/SitePolicy.ts"
import { SiteSectionGroups } from "./site/SiteSectionGroups.ts"
import { SiteSections } from "./site/SiteSections.ts"
import { SiteSorting } from "./site/SiteSorting.ts"
import { SiteSpaces } from "./site/SiteSpaces.ts"
import { SiteViews } from "./site/SiteViews.ts"
import { Sites } from "./site/Sites.ts"
import { SiteStore } from "./site/store/SiteStore.ts"
import { SpacePolicy } from "./space/SpacePolicy.ts"
import { Spaces } from "./space/Spaces.ts"
import { OidcProviders } from "./sso/OidcProviders.ts"
import { OidcSignOn } from "./sso/OidcSignOn.ts"
import { ServerProviders } from "./sso/ServerProvider.ts"
import { SamlProviders } from "./sso/SamlProviders.ts"
import { SignOn } from "./sso/SignOn.ts"
import { Teams } from "./team/Teams.ts"
import { Templates } from "./template/Templates.ts"
import { Sessions } from "./token/Sessions.ts"
import { SignInWays } from "./token/SignInWays.ts"
import { Tokens } from "./token/Tokens.ts"
import { UserTokens } from "./token/UserTokens.ts"
import { Glossaries } from "./translation/Glossaries.ts"
import { Translations } from "./translation/Translations.ts"
import { Uploads } from "./upload/Uploads.ts"
import { LastSeen } from "./user/LastSeen.ts"
import { Users } from "./user/Users.ts"
import { VisitorKeys } from "./visitor/VisitorKeys.ts"
import { VisitorTokens } from "./visitor/VisitorTokens.ts"
import { Visitors } from "./visitor/Visitors.ts"
import { Webhooks } from "./webhook/Webhooks.ts"

/** Settings of the host. Applications over the services read them too, so they are part of the layer. */
const hostSettings = Layer.mergeAll(
  Layer.effect(IntegrationsUrl, IntegrationsUrl),
  Layer.effect(PublicUrl, PublicUrl),
  Layer.effect(ServerProviders, ServerProviders),
  Layer.effect(SignInWays, SignInWays),
  Layer.effect(SitesUrl, SitesUrl)
)

const tier1 = Layer.mergeAll(
  Access.layer,
  Events.layer,
  InstalledSpaces.layer,
  Jobs.layer,
  LastSeen.layer,
  LinkChecks.layer,
  Objects.layer,
  RecordAllowance.layer,
  Revisions.layer,
  Secrets.layer,
  SiteAddresses.layer,
  TaskAllowance.layer,
  WriteLocks.layer,
  hostSettings
)

const tier2 = Layer.mergeAll(
  ActiveIntegrations.layer,
  AuditedEvents,
  ComputedSpecs.layer,
  EventSubscriptions.layer,
  Instance.layer,
  IntegrationDevelopment.layer,
  IntegrationRecords.layer,
  JobHandlers.layer,
  Mails.layer,
  PageConditions.layer,
  SearchIndexing.layer,
  TopLevelNames.layer,
  Users.layer
).pipe(Layer.provideMerge(tier1))

const tier3 = Layer.mergeAll(
  ContentSpecs.layer,
  InstalledBlocks.layer,
  IntegrationRuns.layer,
  IntegrationTasks.layer,
  Paging.layer,
  SiteStore.layer,
  VisitorKeys.layer,
  VisitorTokens.layer
).pipe(Layer.provideMerge(tier2))

const tier4 = Layer.mergeAll(
  ComputedContents.layer,
  IntegrationLog.layer,
  LinkUnfurling,
  OpenApiSpecs.layer,
  Organizations.layer,
  ReceiverQueues.layer,
  SitePolicy.layer,
  SiteViews.layer,
  SpacePolicy.layer,
  Tokens.layer,
  Visitors.layer
).pipe(Layer.provideMerge(tier3))

const tier5 = Layer.mergeAll(
  AdaptiveSchemas.layer,
  AuditEvents.layer,
  ChangeRequestStore.layer,
  Collections.layer,
  CommentScopes.layer,
  CommentTargets.layer,
  Contents.layer,
  Customizations.layer,
  Downloads.layer,
  EmailDomains.layer,
  EventFeed.layer,
  Fonts.layer,
  Glossaries.layer,
  Grants.layer,
  IntegrationRenders.layer,
  InviteLinks.layer,
  LiveEdits.layer,
  Members.layer,
  NotificationMailLists,
  Notifications.layer,
  OidcProviders.layer,
  PageChanges.layer,
  Previews.layer,
  PublishedUrls.layer,
  PublishingAuths.layer,
  Redirects.layer,
  SamlProviders.layer,
  Searches.layer,
  Sessions.layer,
  ShareLinks.layer,
  SharedEvents.layer,
  SiteSectionGroups.layer,
  SiteSections.layer,
  Spaces.layer,
  Teams.layer,
  Translations.layer,
  Uploads.layer,
  UserTokens.layer,
  Webhooks.layer
).pipe(Layer.provideMerge(tier4))

const tier6 = Layer.mergeAll(
  ChangeRequestContents.layer,
  ChangeRequests.layer,
  Comments.layer,
  Explanations.layer,
  IntegrationQueue.layer,
  Invitations.layer,
  Links.layer,
  LiveContents.layer,
  MergeChecks.layer,
  Pdfs.layer,
  PublishedSites.layer,
  SignOn.layer,
  SiteSpaces.layer,
  Templates.layer,
  Watches.layer
).pipe(Layer.provideMerge(tier5))

const tier7 = Layer.mergeAll(
  HostJobs.layer,
  ContentUrls.layer,
  Installations.layer,
  IntegrationSubscriptions,
  Integrations.layer,
  OidcSignOn.layer,
  PlacementRemoval,
  Placements.layer,
  Reviews.layer,
  SiteInsights.layer,
  SiteSorting.layer,
  Sites.layer
).pipe(Layer.provideMerge(tier6))

const tier8 = Layer.mergeAll(CustomHostnames.layer).pipe(Layer.provideMerge(tier7))

export const serviceLayers = tier8
