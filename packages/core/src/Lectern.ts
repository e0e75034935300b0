/**
 * Every service of Lectern over the ports that an adapter provides.
 *
 * ```ts
 * const Host = Lectern.layer().pipe(Layer.provide(SqliteStorage.layer({ filename: "lectern.db" })))
 * ```
 *
 * Hashing is pure JavaScript unless the host provides a faster `Hasher`, ids come from Web Crypto.
 */
import { type Context, Effect, Layer } from "effect"
import { Access } from "./access/Access.ts"
import { AccessFacts } from "./access/AccessFacts.ts"
import { GrantedSpaces } from "./access/GrantedSpaces.ts"
import { Grants } from "./grant/Grants.ts"
import { Tokens } from "./token/Tokens.ts"
import { ChangeRequestContents } from "./change-request/contents/ChangeRequestContents.ts"
import { ChangeRequestLookup } from "./change-request/ChangeRequestLookup.ts"
import { ChangeRequestRevisions } from "./change-request/ChangeRequestRevisions.ts"
import { ChangeRequests } from "./change-request/ChangeRequests.ts"
import { ChangeRequestStore } from "./change-request/ChangeRequestStore.ts"
import { CollectionPolicy } from "./collection/CollectionPolicy.ts"
import { Collections } from "./collection/Collections.ts"
import { Placement } from "./collection/Placement.ts"
import { CommentPresenter } from "./comment/CommentPresenter.ts"
import { CommentReplies } from "./comment/CommentReplies.ts"
import { Commenters } from "./comment/Commenters.ts"
import { Comments } from "./comment/Comments.ts"
import { CommentScopes } from "./comment/CommentScopes.ts"
import { CommentStore } from "./comment/CommentStore.ts"
import { CommentTargets } from "./comment/CommentTargets.ts"
import { Reactions } from "./comment/Reactions.ts"
import { ComputedAnswers } from "./computed/ComputedAnswers.ts"
import { ComputedContents } from "./computed/ComputedContents.ts"
import { ComputedSearch } from "./computed/ComputedSearch.ts"
import { ComputedSources } from "./computed/ComputedSources.ts"
import { ComputedSpecs } from "./computed/ComputedSpecs.ts"
import { SourceDependencies } from "./computed/SourceDependencies.ts"
import { WriteTurns } from "./content/edits/WriteTurns.ts"
import { Contents } from "./content/Contents.ts"
import { collectGarbage } from "./content/store/GarbageCollection.ts"
import { FolderExports } from "./content/export/FolderExports.ts"
import { ImportLimits } from "./content/import/ContentImport.ts"
import { ContentImports } from "./content/import/ContentImports.ts"
import { FolderImports } from "./content/import/FolderImports.ts"
import { SourceReader } from "./content/import/SourceReader.ts"
import { LiveEdits } from "./content/edits/LiveEdits.ts"
import { MarkdownCacheBytes, Markdowns } from "./content/documents/Markdowns.ts"
import { ObjectCacheBytes, Objects } from "./content/store/Objects.ts"
import { notePlaces, PageAliases } from "./content/pages/PageAliases.ts"
import { PageChanges } from "./content/changes/PageChanges.ts"
import { PageConditions } from "./content/pages/PageConditions.ts"
import { MainRevisions } from "./content/edits/MainRevisions.ts"
import { Revisions } from "./content/revisions/Revisions.ts"
import { removeOldEvents } from "./event/EventRetention.ts"
import { EventReaders } from "./event/EventReaders.ts"
import { EventReadingOptions, type ReadingOptions } from "./event/EventReading.ts"
import { EventSubscriptions } from "./event/EventSubscriptions.ts"
import { Events } from "./event/Events.ts"
import { GuardedFetch } from "./fetch/GuardedFetch.ts"
import { GitRemote } from "./git/GitRemote.ts"
import { runGitOperation } from "./git/GitSyncing.ts"
import { GitSyncs } from "./git/GitSyncs.ts"
import { Cipher } from "./identity/Cipher.ts"
import { Ids } from "./identity/Ids.ts"
import { Instance } from "./identity/Instance.ts"
import { Secrets } from "./identity/Secrets.ts"
import { SiteInsights } from "./insights/SiteInsights.ts"
import { InstallationAccess } from "./integration/InstallationAccess.ts"
import { IntegrationTokens } from "./integration/IntegrationTokens.ts"
import { Configurations } from "./integration/Configurations.ts"
import { InstallationRemoval } from "./integration/InstallationRemoval.ts"
import { ContentSources } from "./computed/ContentSources.ts"
import { Installations } from "./integration/Installations.ts"
import { deliverIntegrationEvents } from "./integration/IntegrationDelivery.ts"
import { IntegrationDevelopment } from "./integration/IntegrationDevelopment.ts"
import { IntegrationEnvironments } from "./integration/IntegrationEnvironments.ts"
import { IntegrationFetches } from "./integration/IntegrationFetches.ts"
import { IntegrationLog } from "./integration/IntegrationLog.ts"
import { IntegrationQueue } from "./integration/IntegrationQueue.ts"
import { IntegrationRecords } from "./integration/IntegrationRecords.ts"
import { IntegrationRemoval, removeInstallations } from "./integration/IntegrationRemoval.ts"
import { IntegrationRenders } from "./integration/placement/IntegrationRenders.ts"
import { removeOldIntegrationEvents } from "./integration/IntegrationRetention.ts"
import { InstalledBlocks } from "./integration/InstalledBlocks.ts"
import { InstalledSpaces } from "./integration/InstalledSpaces.ts"
import { IntegrationRuns } from "./integration/IntegrationRuns.ts"
import { IntegrationRuntime } from "./integration/IntegrationRuntime.ts"
import { IntegrationSubscriptions } from "./integration/IntegrationSubscriptions.ts"
import { IntegrationsAtWork } from "./integration/IntegrationsAtWork.ts"
import { LinkUnfurling, unfurlLinks } from "./integration/LinkUnfurling.ts"
import { IntegrationTasks, runTask } from "./integration/IntegrationTasks.ts"
import { IntegrationPolicy } from "./integration/IntegrationPolicy.ts"
import { IntegrationPresenter } from "./integration/IntegrationPresenter.ts"
import { Integrations } from "./integration/Integrations.ts"
import { PlacedContents } from "./integration/placement/PlacedContents.ts"
import { PlacedIntegrations } from "./integration/placement/PlacedIntegrations.ts"
import { Placements } from "./integration/placement/Placements.ts"
import { HostJobs } from "./job/HostJobs.ts"
import { JobHandlers } from "./job/JobHandlers.ts"
import { Jobs } from "./job/Jobs.ts"
import { removeOldJobs } from "./job/JobRetention.ts"
import { JobWorker, type JobWorkerOptions } from "./job/JobWorker.ts"
import { checkLinks } from "./link-check/LinkChecking.ts"
import { ChecksLinks, LinkChecks } from "./link-check/LinkChecks.ts"
import { LinkedUrls } from "./link-check/LinkedUrls.ts"
import { findLinks } from "./link-check/LinkFinding.ts"
import { LinkedContents } from "./link/LinkedContents.ts"
import { LinkLocations } from "./link/LinkLocations.ts"
import { Links } from "./link/Links.ts"
import { OwnUrls } from "./link/OwnUrls.ts"
import { processSpec } from "./openapi/OpenApiProcessing.ts"
import { OpenApiSpecPolicy } from "./openapi/OpenApiSpecPolicy.ts"
import { OpenApiSpecs } from "./openapi/OpenApiSpecs.ts"
import { OpenApiVersions } from "./openapi/OpenApiVersions.ts"
import { Invitations } from "./organization/Invitations.ts"
import { MemberPresenter } from "./organization/MemberPresenter.ts"
import { Members } from "./organization/Members.ts"
import { OrganizationMaking, type OrganizationMakingOptions } from "./organization/OrganizationMaking.ts"
import { OrganizationPresenter } from "./organization/OrganizationPresenter.ts"
import { Organizations } from "./organization/Organizations.ts"
import { Subdomains } from "./organization/Subdomains.ts"
import { makePdf } from "./pdf/PdfMaking.ts"
import { removeOldPdfs } from "./pdf/PdfRetention.ts"
import { Pdfs } from "./pdf/Pdfs.ts"
import { PdfWriter } from "./pdf/PdfWriter.ts"
import { RequestedReviewers } from "./review/RequestedReviewers.ts"
import { Reviews } from "./review/Reviews.ts"
import { indexSpace, SearchIndexing } from "./search/indexing/SearchIndexing.ts"
import { Searches } from "./search/Searches.ts"
import { SamlProtocol } from "./sso/SamlProtocol.ts"
import { SamlProviders } from "./sso/SamlProviders.ts"
import { SignOn } from "./sso/SignOn.ts"
import { SignOnMembers } from "./sso/SignOnMembers.ts"
import { SignOnRequests } from "./sso/SignOnRequests.ts"
import { removeEndedSignOns } from "./sso/SignOnRetention.ts"
import { NewSpaces } from "./space/NewSpaces.ts"
import { SpaceFollowers } from "./space/leaving/SpaceFollowers.ts"
import { SpacePolicy } from "./space/SpacePolicy.ts"
import { removeSpace } from "./space/SpaceRemoval.ts"
import { SpaceTransfers } from "./space/leaving/SpaceTransfers.ts"
import { SpaceTrash } from "./space/leaving/SpaceTrash.ts"
import { Spaces } from "./space/Spaces.ts"
import { AdaptiveSchemas } from "./adaptive/AdaptiveSchemas.ts"
import { Customizations } from "./customization/Customizations.ts"
import { PublishedSites } from "./publishing/PublishedSites.ts"
import { PublishedUrls } from "./publishing/urls/PublishedUrls.ts"
import { PublishingAuths } from "./publishing/PublishingAuths.ts"
import { ShareLinks } from "./publishing/ShareLinks.ts"
import { SiteUrls } from "./publishing/urls/SiteUrls.ts"
import { VisitorKeys } from "./visitor/VisitorKeys.ts"
import { Visitors } from "./visitor/Visitors.ts"
import { VisitorTokens } from "./visitor/VisitorTokens.ts"
import { Redirects } from "./redirect/Redirects.ts"
import { AddressClaiming, checkAddress } from "./site/AddressClaiming.ts"
import { AddressProofs, HostnameProof } from "./site/AddressProofs.ts"
import { DomainNames } from "./site/DomainNames.ts"
import { CustomHostnames } from "./site/CustomHostnames.ts"
import { SiteAddresses } from "./site/SiteAddresses.ts"
import { SiteChanges } from "./site/SiteChanges.ts"
import { SiteMemberships } from "./site/store/SiteMemberships.ts"
import { SitePolicy } from "./site/SitePolicy.ts"
import { SiteRemoval } from "./site/SiteRemoval.ts"
import { SiteSectionGroups } from "./site/SiteSectionGroups.ts"
import { SiteSections } from "./site/SiteSections.ts"
import { SiteSorting } from "./site/SiteSorting.ts"
import { SiteSpacePolicy } from "./site/SiteSpacePolicy.ts"
import { SiteSpaces } from "./site/SiteSpaces.ts"
import { Sites } from "./site/Sites.ts"
import { SiteStore } from "./site/store/SiteStore.ts"
import { SiteViews } from "./site/SiteViews.ts"
import { SpaceUrls } from "./site/store/SpaceUrls.ts"
import { StarterSpaces } from "./site/StarterSpaces.ts"
import { Hasher } from "./storage/Hasher.ts"
import { Paging } from "./paging/Paging.ts"
import { Storage } from "./storage/Storage.ts"
import { Versions } from "./version/Versions.ts"
import { TeamMembers } from "./team/TeamMembers.ts"
import { TeamPolicy } from "./team/TeamPolicy.ts"
import { TeamPresenter } from "./team/TeamPresenter.ts"
import { Teams } from "./team/Teams.ts"
import type { Template } from "./template/Template.ts"
import { OwnTemplates, TemplateContents } from "./template/contents/TemplateContents.ts"
import { Templates } from "./template/Templates.ts"
import { TranslationPolicy } from "./translation/TranslationPolicy.ts"
import { TranslationResults } from "./translation/TranslationResults.ts"
import { runTranslation } from "./translation/TranslationRun.ts"
import { forgetTranslation } from "./translation/TranslationRemoval.ts"
import { Threads } from "./thread/Threads.ts"
import { Translations } from "./translation/Translations.ts"
import { Translator } from "./translation/Translator.ts"
import { Users } from "./user/Users.ts"

export interface LecternOptions {
  /** Hashes content. Default: in plain JavaScript. */
  readonly hasher?: Layer.Layer<Hasher>
  /** Encrypts secrets. Default: in plain JavaScript. */
  readonly cipher?: Layer.Layer<Cipher>
  /** Makes ids. Default: of random bits of Web Crypto, in the order of time. */
  readonly ids?: Layer.Layer<Ids>
  /** Fetches for callers. Default: nothing is fetched. */
  readonly fetch?: Layer.Layer<GuardedFetch>
  /** Opens Git repositories. Default: none is opened. */
  readonly gitRemote?: Layer.Layer<GitRemote>
  /** Runs integrations. Default: none is run. */
  readonly integrationRuntime?: Layer.Layer<IntegrationRuntime>
  /** Makes pages of imported sources. Default: it reads Markdown alone. */
  readonly sourceReader?: Layer.Layer<SourceReader>
  /** Runs large computations. Default: they run where they are asked for, while nothing else does. */
  readonly threads?: Layer.Layer<Threads>
  /** How much is imported at once, where it is other than usual (see `ContentImport`). */
  readonly imports?: Partial<ImportLimits>
  /** Speaks SAML. Default: nobody signs on. */
  readonly saml?: Layer.Layer<SamlProtocol>
  /** Makes PDFs. Default: none are made. */
  readonly pdfWriter?: Layer.Layer<PdfWriter>
  /** Translates texts. Default: the pseudo-translator. */
  readonly translator?: Layer.Layer<Translator>
  /** Looks up names of the DNS. Default: none is looked up, and no hostname is proved. */
  readonly domainNames?: Layer.Layer<DomainNames>
  /** Gives a hostname to a site only once it is proved to be its organization's. Default: true. */
  readonly hostnameProof?: boolean
  /** Asks for URLs of other websites, to tell which links are broken. Default: false. */
  readonly checkLinks?: boolean
  /**
   * Permission to make organizations, and their number. Default: an administrator of one may make another, 100
   * at most.
   */
  readonly organizations?: Partial<OrganizationMakingOptions>
  /** How much object text is kept in memory, in bytes. Default: 64 MiB. */
  readonly objectCacheBytes?: number
  /** How much printed Markdown is kept in memory, in bytes. Default: 32 MiB. */
  readonly markdownCacheBytes?: number
  /** Templates beside the built-in ones, or in their place. */
  readonly templates?: ReadonlyArray<Template>
  /** How background work is done, once `JobWorker` was started. */
  readonly jobs?: JobWorkerOptions
  /** How long a process holds a reader of events, and how often it looks for those of other processes (see `ReadingOptions`). */
  readonly subscriptions?: ReadingOptions
}

/** Handlers of the core's jobs. A concept with jobs adds its handler here. */
const handlers = [
  checkAddress,
  collectGarbage,
  deliverIntegrationEvents,
  forgetTranslation,
  indexSpace,
  makePdf,
  notePlaces,
  processSpec,
  removeEndedSignOns,
  removeInstallations,
  removeOldEvents,
  removeOldIntegrationEvents,
  removeOldJobs,
  removeOldPdfs,
  removeSpace,
  runGitOperation,
  runTask,
  runTranslation,
  unfurlLinks
]

/** Beside those, where links to other websites are checked. */
const linkHandlers = [checkLinks, findLinks]

/** Every service, in the order of the alphabet: each brings those that it stands on. */
const services = Layer.mergeAll(
  Access.layer,
  AccessFacts.layer,
  AdaptiveSchemas.layer,
  AddressClaiming.layer,
  AddressProofs.layer,
  ChangeRequestContents.layer,
  ChangeRequestLookup.layer,
  ChangeRequestRevisions.layer,
  ChangeRequests.layer,
  ChangeRequestStore.layer,
  CollectionPolicy.layer,
  Collections.layer,
  Commenters.layer,
  CommentPresenter.layer,
  CommentReplies.layer,
  Comments.layer,
  CommentScopes.layer,
  CommentStore.layer,
  CommentTargets.layer,
  ComputedAnswers.layer,
  ComputedContents.layer,
  ComputedSearch.layer,
  ComputedSources.layer,
  ComputedSpecs.layer,
  Configurations.layer,
  ContentImports.layer,
  Contents.layer,
  ContentSources.layer,
  CustomHostnames.layer,
  Customizations.layer,
  EventReaders.layer,
  Events.layer,
  EventSubscriptions.layer,
  FolderExports.layer,
  FolderImports.layer,
  GitSyncs.layer,
  GrantedSpaces.layer,
  Grants.layer,
  InstallationAccess.layer,
  InstallationRemoval.layer,
  Installations.layer,
  InstalledBlocks.layer,
  InstalledSpaces.layer,
  Instance.layer,
  IntegrationDevelopment.layer,
  IntegrationEnvironments.layer,
  IntegrationFetches.layer,
  IntegrationLog.layer,
  IntegrationPolicy.layer,
  IntegrationPresenter.layer,
  IntegrationQueue.layer,
  IntegrationRecords.layer,
  IntegrationRemoval.layer,
  IntegrationRenders.layer,
  IntegrationRuns.layer,
  Integrations.layer,
  IntegrationsAtWork.layer,
  IntegrationSubscriptions,
  IntegrationTasks.layer,
  IntegrationTokens.layer,
  Invitations.layer,
  HostJobs.layer,
  JobHandlers.layer,
  Jobs.layer,
  LinkChecks.layer,
  LinkedContents.layer,
  LinkedUrls.layer,
  LinkLocations.layer,
  Links.layer,
  LinkUnfurling,
  LiveEdits.layer,
  MainRevisions.layer,
  Markdowns.layer,
  MemberPresenter.layer,
  Members.layer,
  NewSpaces.layer,
  Objects.layer,
  OpenApiSpecPolicy.layer,
  OpenApiSpecs.layer,
  OpenApiVersions.layer,
  OrganizationPresenter.layer,
  Organizations.layer,
  OwnUrls.layer,
  PageAliases.layer,
  PageChanges.layer,
  PageConditions.layer,
  Paging.layer,
  Pdfs.layer,
  PlacedContents.layer,
  PlacedIntegrations.layer,
  Placement.layer,
  Placements.layer,
  PublishedSites.layer,
  PublishedUrls.layer,
  PublishingAuths.layer,
  Reactions.layer,
  Redirects.layer,
  RequestedReviewers.layer,
  Reviews.layer,
  Revisions.layer,
  SamlProviders.layer,
  Searches.layer,
  SearchIndexing.layer,
  Secrets.layer,
  ShareLinks.layer,
  SignOn.layer,
  SignOnMembers.layer,
  SignOnRequests.layer,
  SiteAddresses.layer,
  SiteChanges.layer,
  SiteInsights.layer,
  SiteMemberships.layer,
  SitePolicy.layer,
  SiteRemoval.layer,
  Sites.layer,
  SiteSectionGroups.layer,
  SiteSections.layer,
  SiteSorting.layer,
  SiteSpacePolicy.layer,
  SiteSpaces.layer,
  SiteStore.layer,
  SiteUrls.layer,
  SiteViews.layer,
  SourceDependencies.layer,
  SpaceFollowers.layer,
  SpacePolicy.layer,
  Spaces.layer,
  SpaceTransfers.layer,
  SpaceTrash.layer,
  SpaceUrls.layer,
  StarterSpaces.layer,
  Subdomains.layer,
  TeamMembers.layer,
  TeamPolicy.layer,
  TeamPresenter.layer,
  Teams.layer,
  TemplateContents.layer,
  Templates.layer,
  Tokens.layer,
  TranslationPolicy.layer,
  TranslationResults.layer,
  Translations.layer,
  Users.layer,
  Versions.layer,
  VisitorKeys.layer,
  Visitors.layer,
  VisitorTokens.layer,
  WriteTurns.layer
)

export const layer = (options: LecternOptions = {}) => {
  const linksAreChecked = options.checkLinks ?? false
  const worker = JobWorker.layer(linksAreChecked ? [...handlers, ...linkHandlers] : handlers, options.jobs)
  const ports = Layer.mergeAll(
    options.hasher ?? Hasher.layer,
    options.cipher ?? Cipher.layer,
    options.ids ?? Ids.layer,
    options.fetch ?? GuardedFetch.layer,
    options.domainNames ?? DomainNames.layer,
    options.gitRemote ?? GitRemote.layer,
    options.integrationRuntime ?? IntegrationRuntime.layer,
    options.sourceReader ?? SourceReader.layer,
    options.threads ?? Threads.layer,
    options.saml ?? SamlProtocol.layer,
    options.pdfWriter ?? PdfWriter.layer,
    options.translator ?? Translator.layer
  )
  const settings = Layer.mergeAll(
    instead(ObjectCacheBytes, options.objectCacheBytes),
    instead(MarkdownCacheBytes, options.markdownCacheBytes),
    instead(OwnTemplates, options.templates),
    instead(HostnameProof, options.hostnameProof),
    instead(EventReadingOptions, options.subscriptions),
    instead(ChecksLinks, linksAreChecked),
    besides(ImportLimits, options.imports),
    besides(OrganizationMaking, options.organizations)
  )
  const everything = worker.pipe(Layer.provideMerge(services))
  return apart(() => Layer.fresh(everything).pipe(Layer.provide(settings), Layer.provideMerge(ports)))
}

/** A setting, where the host has one of its own; else its default stays. */
const instead = <A>(setting: Context.Reference<A>, value: A | undefined) =>
  value === undefined ? Layer.empty : Layer.succeed(setting, value)

/** The same where the host may say a part of it. */
const besides = <A extends object>(setting: Context.Reference<A>, value: Partial<A> | undefined) =>
  value === undefined
    ? Layer.empty
    : Layer.effect(
        setting,
        Effect.map(setting, (usual) => ({ ...usual, ...value }))
      )

/**
 * Builds a layer once for each store. A layer as such is built once for each reference, and found by it wherever it
 * is provided again: over another store, too.
 */
const apart = <A, E, R>(make: () => Layer.Layer<A, E, R>): Layer.Layer<A, E, R | Storage> => {
  const known = new WeakMap<Storage["Service"], Layer.Layer<A, E, R>>()
  return Layer.fromBuild((memoMap, scope) =>
    Effect.flatMap(Storage, (storage) => {
      const own = known.get(storage) ?? make()
      known.set(storage, own)
      return Layer.buildWithMemoMap(own, memoMap, scope)
    })
  )
}
