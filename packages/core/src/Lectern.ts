/**
 * All services of Lectern over the ports that an adapter provides.
 *
 * ```ts
 * const Host = Lectern.layer().pipe(Layer.provide(SqliteStorage.layer({ filename: "lectern.db" })))
 * ```
 *
 * Hashing uses JavaScript unless the host provides a faster `Hasher`; ids come from Web Crypto.
 */
import { type Context, Effect, Layer } from "effect"
import { MarkdownCacheBytes } from "./content/documents/Markdowns.ts"
import { ObjectCacheBytes } from "./content/store/Objects.ts"
import { EventReadingOptions } from "./event/EventReading.ts"
import { GuardedFetch } from "./fetch/GuardedFetch.ts"
import { Cipher } from "./identity/Cipher.ts"
import { Ids } from "./identity/Ids.ts"
import { IntegrationRuntime } from "./integration/IntegrationRuntime.ts"
import { JobWorker, type JobWorkerOptions } from "./job/JobWorker.ts"
import { type WorkOptions, workOptionNames } from "./job/WorkLoop.ts"
import { ChecksLinks } from "./link-check/LinkChecks.ts"
import { mailLimitNames, type MailLimitOptions, MailLimits } from "./mail/MailLimits.ts"
import { MailTransport } from "./mail/MailTransport.ts"
import { Mails } from "./mail/Mails.ts"
import {
  OrganizationCreation,
  organizationCreationNames,
  type OrganizationCreationOptions
} from "./organization/OrganizationCreation.ts"
import { PdfWriter } from "./pdf/PdfWriter.ts"
import { checkOptions, type OptionNames } from "./schema/OptionNames.ts"
import { OidcProtocol } from "./sso/OidcProtocol.ts"
import { SamlProtocol } from "./sso/SamlProtocol.ts"
import { type ServerProvider, ServerProviders } from "./sso/ServerProvider.ts"
import { type AddressProof, RequiredProof } from "./site/AddressProofs.ts"
import { DomainNames } from "./site/DomainNames.ts"
import { Hasher } from "./storage/Hasher.ts"
import { Storage } from "./storage/Storage.ts"
import type { Template } from "./template/Template.ts"
import { HostTemplates } from "./template/contents/TemplateContents.ts"
import { Threads } from "./thread/Threads.ts"
import { Translator } from "./translation/Translator.ts"
import { adaptiveServices } from "./adaptive/AdaptiveServices.ts"
import { AuditDays } from "./audit/AuditRetention.ts"
import { auditServices } from "./audit/AuditServices.ts"
import { changeRequestServices } from "./change-request/ChangeRequestServices.ts"
import { collectionServices } from "./collection/CollectionServices.ts"
import { commentServices } from "./comment/CommentServices.ts"
import { contentServices } from "./content/ContentServices.ts"
import { customizationServices } from "./customization/CustomizationServices.ts"
import { emailDomainServices } from "./email-domain/EmailDomainServices.ts"
import { eventServices } from "./event/EventServices.ts"
import { feedServices } from "./feed/FeedServices.ts"
import { fontServices } from "./font/FontServices.ts"
import { grantServices } from "./grant/GrantServices.ts"
import { insightsServices } from "./insights/InsightsServices.ts"
import { integrationServices } from "./integration/IntegrationServices.ts"
import { jobServices } from "./job/JobServices.ts"
import { linkServices } from "./link/LinkServices.ts"
import { linkCheckServices } from "./link-check/LinkCheckServices.ts"
import { mailServices } from "./mail/MailServices.ts"
import { mergeCheckServices } from "./merge-check/MergeCheckServices.ts"
import { notificationServices } from "./notification/NotificationServices.ts"
import { openApiServices } from "./openapi/OpenApiServices.ts"
import { organizationServices } from "./organization/OrganizationServices.ts"
import { pdfServices } from "./pdf/PdfServices.ts"
import { publishingServices } from "./publishing/PublishingServices.ts"
import { redirectServices } from "./redirect/RedirectServices.ts"
import { reviewServices } from "./review/ReviewServices.ts"
import { searchServices } from "./search/SearchServices.ts"
import { siteServices } from "./site/SiteServices.ts"
import { spaceServices } from "./space/SpaceServices.ts"
import { signOnServices } from "./sso/SignOnServices.ts"
import { teamServices } from "./team/TeamServices.ts"
import { templateServices } from "./template/TemplateServices.ts"
import { type SessionLimitOptions, sessionLimitNames, SessionLimits } from "./token/Session.ts"
import { SignInWays } from "./token/SignInWays.ts"
import type { SignInMethod } from "./token/Token.ts"
import { tokenServices } from "./token/TokenServices.ts"
import { translationServices } from "./translation/TranslationServices.ts"
import { uploadServices } from "./upload/UploadServices.ts"
import { userServices } from "./user/UserServices.ts"
import { webhookServices } from "./webhook/WebhookServices.ts"
import type { Extension, ExtensionServices } from "./Extension.ts"
import { type BeforeHooks, HostHooks, hookNames, makeHookRegistry } from "./hook/BeforeHooks.ts"
import { combined } from "./Services.ts"
import { serviceLayers } from "./ServiceLayers.ts"

export interface LecternOptions<X extends Extension = never> {
  /** Services of other packages, such as imports and Git (see `Extension`). Default: none. */
  readonly extensions?: ReadonlyArray<X>
  /** Hashes content. Default: in JavaScript. */
  readonly hasher?: Layer.Layer<Hasher>
  /** Encrypts secrets. Default: in JavaScript. */
  readonly cipher?: Layer.Layer<Cipher>
  /** Generates ids. Default: random bits of Web Crypto, ordered by time. */
  readonly ids?: Layer.Layer<Ids>
  /** Fetches URLs. Default: fetching fails. */
  readonly fetch?: Layer.Layer<GuardedFetch>
  /** Runs integrations. Default: no integration is run. */
  readonly integrationRuntime?: Layer.Layer<IntegrationRuntime>
  /** Runs large computations in threads. Default: they run in the current thread and block it. */
  readonly threads?: Layer.Layer<Threads>
  /** Adapter for SAML. Default: sign-in by SAML is unavailable. */
  readonly saml?: Layer.Layer<SamlProtocol>
  /** Adapter for OpenID Connect. Default: sign-in by OpenID Connect is unavailable. */
  readonly oidc?: Layer.Layer<OidcProtocol>
  /** OpenID Connect providers of the whole server. Default: none. */
  readonly oidcProviders?: ReadonlyArray<ServerProvider>
  /** Ways to sign in that are on. Default: all. */
  readonly signInWays?: ReadonlyArray<SignInMethod>
  /** Creates PDFs. Default: PDFs are unavailable. */
  readonly pdfWriter?: Layer.Layer<PdfWriter>
  /** Translates texts. Default: the pseudo-translator. */
  readonly translator?: Layer.Layer<Translator>
  /** Sends mails. Default: no mail is sent. */
  readonly mail?: Layer.Layer<MailTransport>
  /** Limits for sent mails (see `MailLimits`). */
  readonly mailLimits?: Partial<MailLimitOptions>
  /** Looks up DNS records. Default: lookups fail, so no hostname can be proved. */
  readonly domainNames?: Layer.Layer<DomainNames>
  /**
   * When a site gets a hostname or a proxy only after a proof that the host belongs to its organization: `always`,
   * `never`, or `auto`, if there are organizations with other administrators. Default: `auto`.
   */
  readonly addressProof?: AddressProof
  /** True to check URLs of other websites for broken links. Default: false. */
  readonly checkLinks?: boolean
  /**
   * Roles that may create organizations, and the maximum number. Default: administrators of an organization, 100 in
   * total.
   */
  readonly organizations?: Partial<OrganizationCreationOptions>
  /** Idle and absolute lifetime of sessions. Default: 14 and 30 days. */
  readonly sessions?: Partial<SessionLimitOptions>
  /** Number of days for which audit events are retained; 0: without limit. Default: 365. */
  readonly auditDays?: number
  /** Functions that run before operations and may refuse them (see `BeforeHooks`). Default: none. */
  readonly before?: BeforeHooks<LecternServices>
  /** Size of the cache of stored content in bytes. Default: 32 MiB. */
  readonly objectCacheBytes?: number
  /** Size of the cache of serialized Markdown in bytes. Default: 32 MiB. */
  readonly markdownCacheBytes?: number
  /** Templates in addition to the built-in ones, or replacing them. */
  readonly templates?: ReadonlyArray<Template>
  /** Options of background work, after `JobWorker` was started. */
  readonly jobs?: JobWorkerOptions
  /** Options of event readers (see `EventReadingOptions`). */
  readonly subscriptions?: WorkOptions
}

export const lecternOptionNames: OptionNames<LecternOptions> = {
  extensions: true,
  hasher: true,
  cipher: true,
  ids: true,
  fetch: true,
  integrationRuntime: true,
  threads: true,
  saml: true,
  oidc: true,
  oidcProviders: true,
  signInWays: true,
  pdfWriter: true,
  translator: true,
  mail: true,
  mailLimits: mailLimitNames,
  domainNames: true,
  addressProof: true,
  checkLinks: true,
  organizations: organizationCreationNames,
  sessions: sessionLimitNames,
  auditDays: true,
  before: hookNames,
  objectCacheBytes: true,
  markdownCacheBytes: true,
  templates: true,
  jobs: { ...workOptionNames, concurrency: true },
  subscriptions: workOptionNames
}

/** Services of all concepts (see `Services`), in alphabetical order. */
const concepts = [
  adaptiveServices,
  auditServices,
  changeRequestServices,
  collectionServices,
  commentServices,
  contentServices,
  customizationServices,
  emailDomainServices,
  eventServices,
  feedServices,
  fontServices,
  grantServices,
  insightsServices,
  integrationServices,
  jobServices,
  linkServices,
  linkCheckServices,
  mailServices,
  mergeCheckServices,
  notificationServices,
  openApiServices,
  organizationServices,
  pdfServices,
  publishingServices,
  redirectServices,
  reviewServices,
  searchServices,
  siteServices,
  spaceServices,
  signOnServices,
  teamServices,
  templateServices,
  tokenServices,
  translationServices,
  uploadServices,
  userServices,
  webhookServices
] as const

type Concept = (typeof concepts)[number]

/** Services for hosts without Effect, by their paths in `EmbeddedLectern`. */
export const offered = combined(concepts.map(({ offered }): Concept["offered"] => offered))

const jobs = concepts.flatMap(({ jobs }): ReadonlyArray<Concept["jobs"][number]> => jobs)

/** Renderer of a mail of one of the concepts. */
type ConceptMail = Extract<Concept, { readonly mails: unknown }>["mails"][number]

const mails = concepts.flatMap((services): ReadonlyArray<ConceptMail> => ("mails" in services ? services.mails : []))

/** Registers the renderers of all mails. */
const mailRenderers = Layer.effectDiscard(
  Effect.flatMap(Mails, ({ addRenderer }) => Effect.forEach(mails, Effect.flatMap(addRenderer), { discard: true }))
)

const coreLayer = (options: LecternOptions) => {
  const ports = Layer.mergeAll(
    options.hasher ?? Hasher.layer,
    options.cipher ?? Cipher.layer,
    options.ids ?? Ids.layer,
    options.fetch ?? GuardedFetch.layer,
    options.domainNames ?? DomainNames.layer,
    options.integrationRuntime ?? IntegrationRuntime.layer,
    options.threads ?? Threads.layer,
    options.saml ?? SamlProtocol.layer,
    options.oidc ?? OidcProtocol.layer,
    options.pdfWriter ?? PdfWriter.layer,
    options.translator ?? Translator.layer,
    options.mail ?? MailTransport.layer
  )
  const settings = Layer.mergeAll(
    overrideSetting(AuditDays, options.auditDays),
    overrideSetting(ObjectCacheBytes, options.objectCacheBytes),
    overrideSetting(MarkdownCacheBytes, options.markdownCacheBytes),
    overrideSetting(HostTemplates, options.templates),
    overrideSetting(ServerProviders, options.oidcProviders),
    overrideSetting(SignInWays, options.signInWays && new Set(options.signInWays)),
    overrideSetting(RequiredProof, options.addressProof),
    overrideSetting(EventReadingOptions, options.subscriptions),
    overrideSetting(ChecksLinks, options.checkLinks),
    overrideFields(OrganizationCreation, options.organizations),
    overrideFields(SessionLimits, options.sessions),
    overrideFields(MailLimits, options.mailLimits)
  )
  const everything = JobWorker.layer(jobs, options.jobs).pipe(
    Layer.merge(mailRenderers),
    Layer.provideMerge(serviceLayers)
  )
  return Layer.fresh(everything).pipe(Layer.provide(settings), Layer.provideMerge(ports))
}

type Core = ReturnType<typeof coreLayer>

/** Ports that an adapter provides. */
export type Ports = Layer.Services<Core>

/** Services available to effects of a host: every service of the core and every port. */
export type LecternServices = Layer.Success<Core> | Ports

/** Creates the layer of all services of the core and of extensions. Throws `InvalidInput` for an unknown option. */
export const layer = <X extends Extension = never>(allOptions: LecternOptions<X> = {}) => {
  checkOptions(lecternOptionNames, allOptions)
  const { extensions = [], before, ...options } = allOptions
  return perStore(() => {
    const hooks = makeHookRegistry(before)
    return extensions.reduce<Layer.Layer<Layer.Success<Core> | ExtensionServices<X>, Layer.Error<Core>, Ports>>(
      (below, extension) =>
        Layer.provideMerge(
          Layer.fresh(extension.layer as Layer.Layer<ExtensionServices<X>, never, Layer.Success<Core>>),
          below
        ),
      coreLayer(options).pipe(
        Layer.tap((services) => Effect.sync(() => (hooks.services = services))),
        Layer.provideMerge(Layer.succeed(HostHooks, hooks))
      )
    )
  })
}

/** Returns a layer that replaces the default of a setting, if a value is given. */
const overrideSetting = <A>(setting: Context.Reference<A>, value: A | undefined) =>
  value === undefined ? Layer.empty : Layer.succeed(setting, value)

/** Returns a layer that replaces some fields of a setting. */
const overrideFields = <A extends object>(setting: Context.Reference<A>, value: Partial<A> | undefined) =>
  value === undefined
    ? Layer.empty
    : Layer.effect(
        setting,
        Effect.map(setting, (usual) => ({ ...usual, ...value }))
      )

/**
 * Builds a layer once for each store. Effect builds a layer once for each reference, even if it is provided over
 * another store.
 */
const perStore = <A, E, R>(make: () => Layer.Layer<A, E, R>): Layer.Layer<A, E, R | Storage> => {
  const layers = new WeakMap<Storage["Service"], Layer.Layer<A, E, R>>()
  return Layer.fromBuild((memoMap, scope) =>
    Effect.flatMap(Storage, (storage) => {
      const own = layers.get(storage) ?? make()
      layers.set(storage, own)
      return Layer.buildWithMemoMap(own, memoMap, scope)
    })
  )
}
