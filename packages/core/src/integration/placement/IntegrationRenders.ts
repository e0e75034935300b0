/**
 * Renders components of integrations. Results are cached for the time that the program states, for equal viewers, until
 * the integration or its configuration changes.
 *
 * Limits: results of 1 MiB, nested 200 deep; 16 MiB of the most recently used results are cached. Caches the resolved
 * installation for up to 1,000 member requests. An entry is dropped when a row that it was read from changes.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { type Actor, CurrentActor } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import * as ReadCache from "../../storage/ReadCache.ts"
import { LruCache } from "../../storage/LruCache.ts"
import { OrganizationId, type OrganizationNotFound } from "../../organization/Organization.ts"
import { Organizations } from "../../organization/Organizations.ts"
import { accepting, type InvalidInput } from "../../schema/Input.ts"
import { isTooDeep } from "../../schema/JsonBody.ts"
import { SiteId, SiteNotFound, SiteTable } from "../../site/Site.ts"
import { SitePolicy } from "../../site/SitePolicy.ts"
import { SpaceId, type SpaceNotFound } from "../../space/Space.ts"
import { type SpaceAction, spaceNotFound, SpacePolicy } from "../../space/SpacePolicy.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import { makeConfigurations } from "../Configurations.ts"
import { type InstallationRow, type PlacementKind, PlacementTable } from "../Installation.ts"
import { type IntegrationNotFound, type IntegrationRow, IntegrationTable, isPublished, keyOf } from "../Integration.ts"
import { covers, scopesOf } from "../InstallationStatus.ts"
import { mayRenderIn } from "../DeclaredComponents.ts"
import { makeIntegrationPolicy } from "../IntegrationPolicy.ts"
import { RenderFailed, RenderRejected, RenderRequest } from "../IntegrationRender.ts"
import { RunFailed } from "../IntegrationRuntime.ts"
import { isRenderOutput } from "../RenderOutput.ts"
import { IntegrationRuns } from "../IntegrationRuns.ts"
import { ActiveIntegrations } from "../ActiveIntegrations.ts"

const maxOutput = 1024 * 1024
const maxCachedBytes = 16 * 1024 * 1024
const maxCachedRequests = 1_000

const acceptRequest = accepting(RenderRequest, "", "ignore")
const decoder = new TextDecoder()

/** Result of a component as JSON, and the seconds for which it is valid. */
export interface RenderResult {
  readonly json: string
  readonly maxAge: number
}

interface CachedRender extends RenderResult {
  readonly until: number
}

type Failure =
  | IntegrationNotFound
  | OrganizationNotFound
  | SpaceNotFound
  | SiteNotFound
  | Forbidden
  | InvalidInput
  | RenderRejected
  | RenderFailed
  | StorageError

/** Installation that renders a request, and the time of the last change of its placement. */
interface ResolvedRequest {
  readonly authorizedContent: AuthorizedContent
  readonly integration: IntegrationRow
  readonly installation: InstallationRow
  readonly changedAt: string
  readonly seesClaims: boolean
}

/** Content of a request that the actor may make. */
interface AuthorizedContent {
  readonly organization: OrganizationId
  readonly content?: { readonly kind: PlacementKind; readonly id: string }
}

export class IntegrationRenders extends Context.Service<
  IntegrationRenders,
  {
    /**
     * Renders a component of an integration.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {RenderFailed} If the program fails or does not respond in time.
     * @throws {RenderRejected} If the program refuses the request.
     * @throws {SiteNotFound}
     * @throws {SpaceNotFound}
     */
    readonly render: (integration: string, request: RenderRequest) => Effect.Effect<RenderResult, Failure, CurrentActor>
  }
>()("@lectern/core/integration/placement/IntegrationRenders") {
  static readonly layer = Layer.effect(
    IntegrationRenders,
    Effect.gen(function* () {
      const storage = yield* Storage
      const organizations = yield* Organizations
      const spaces = yield* SpacePolicy
      const sitePolicy = yield* SitePolicy
      const policy = yield* makeIntegrationPolicy
      const runs = yield* IntegrationRuns
      const configurations = yield* makeConfigurations
      const activeIntegrations = yield* ActiveIntegrations
      const integrations = storage.repository(IntegrationTable)
      const placements = storage.repository(PlacementTable)
      const sites = storage.repository(SiteTable)
      const cachedRenders = new LruCache<string, CachedRender>(maxCachedBytes)
      const cachedRequests = yield* ReadCache.make<ResolvedRequest>(maxCachedRequests)

      const onSpace = Effect.fnUntraced(function* (id: string, action: SpaceAction) {
        const { space } = yield* spaces.require(SpaceId.make(id), action)
        return { organization: space.organization, content: { kind: "space", id } } satisfies AuthorizedContent
      })

      const onSite = Effect.fnUntraced(function* (id: string) {
        const site = yield* sites.get({ id: SiteId.make(id) })
        if (site === undefined) return yield* new SiteNotFound({ message: `There is no site ${id}` })
        yield* sitePolicy.require(site.organization, site.id, "place integrations on this site")
        return { organization: site.organization, content: { kind: "site", id } } satisfies AuthorizedContent
      })

      /**
       * Checks the permission to configure a content source. On a space, editors may, since they choose the sources of
       * its pages; elsewhere only actors who may install integrations.
       */
      const onSource = Effect.fnUntraced(function* (organizationId: string, spaceId: string | undefined) {
        const id = OrganizationId.make(organizationId)
        if (spaceId !== undefined) {
          const authorizedSpace = yield* onSpace(spaceId, "edit this space")
          return authorizedSpace.organization === id ? authorizedSpace : yield* spaceNotFound(spaceId)
        }
        const { organization } = yield* organizations.require(id, "install integrations in this organization")
        return { organization: organization.id } satisfies AuthorizedContent
      })

      /**
       * Checks the permission to render: readers of a space see its blocks, administrators see the configuration of the
       * resources that they manage.
       */
      const authorize = Effect.fnUntraced(function* ({ context }: RenderRequest) {
        switch (context.type) {
          case "document":
            return yield* onSpace(context.spaceId, "read this space")
          case "configuration_space":
            return yield* onSpace(context.spaceId, "place integrations on this space")
          case "configuration_site":
            return yield* onSite(context.siteId)
          case "configuration_contentsource":
            return yield* onSource(context.organizationId, context.spaceId)
          case "configuration_account":
            return yield* onSource(context.organizationId, undefined)
        }
      })

      /** Returns the installation for a request, if it covers the content. */
      const find = Effect.fnUntraced(function* (
        name: string,
        { organization, content }: AuthorizedContent,
        isConfigured: boolean
      ) {
        const integration = yield* integrations.get({ key: keyOf(name) })
        if (!isPublished(integration)) return yield* policy.notFound(name)
        const installation = yield* activeIntegrations.installation(organization, integration.key)
        if (installation === undefined) return yield* policy.notFound(name)
        const placement =
          content && (yield* placements.get({ installation: installation.id, kind: content.kind, content: content.id }))
        const isCovered = content === undefined || covers(integration, installation, content.kind, placement)
        if (!isCovered) return yield* policy.notFound(name)
        // An integration that is not configured yet can render only its configuration.
        if (!isConfigured) {
          const installationStatus = yield* configurations.statusOf(integration, installation)
          const status =
            installationStatus === "active" && content !== undefined
              ? yield* configurations.placementStatus(integration, installation, content.kind, placement)
              : installationStatus
          if (status !== "active") return yield* yield* policy.inactive(name, integration, installation, status)
        }
        return { integration, installation, changedAt: placement?.updatedAt ?? "" }
      })

      const resolve = Effect.fnUntraced(function* (name: string, request: RenderRequest) {
        const authorizedContent = yield* authorize(request)
        const target = yield* find(name, authorizedContent, configurationContexts.has(request.context.type))
        const seesClaims = scopesOf(target.integration, target.installation).includes("site:visitor:claims")
        return { authorizedContent, seesClaims, ...target } satisfies ResolvedRequest
      })

      /**
       * Resolves a request. Results for members are cached until a row changes, because their permissions do not depend
       * on time.
       */
      const resolveCached = (actor: Actor, name: string, request: RenderRequest) =>
        actor.type === "user"
          ? cachedRequests(JSON.stringify([actor, name, request.context]), resolve(name, request))
          : resolve(name, request)

      const run = (
        { integration, installation, authorizedContent: { content } }: ResolvedRequest,
        request: RenderRequest,
        actor: Actor
      ) =>
        runs.requestBuffered(
          { integration, installation, ...(content && { content }) },
          {
            type: "ui_render",
            installationId: installation.id,
            ...(content && { [`${content.kind}Id`]: content.id }),
            ...(actor.type === "user" && { auth: { userId: actor.user } }),
            ...request,
            context: { theme: "light", ...request.context }
          },
          maxOutput,
          ({ status, headers, body }) => {
            const text = decoder.decode(body)
            const json = jsonOf(text)
            const isUnusable = status < 400 && !(status === 200 && isRenderOutput(json))
            return isUnusable
              ? Effect.fail(new RunFailed({ reason: "unusable", message: "The response is not an element", logs: [] }))
              : Effect.succeed({ status, text, json, headers })
          }
        )

      return IntegrationRenders.of({
        render: Effect.fnUntraced(function* (name, rawInput) {
          const request = yield* acceptRequest(rawInput)
          const actor = yield* CurrentActor
          const target = yield* resolveCached(actor, name, request)
          const { integration, installation, changedAt, seesClaims } = target
          if (!mayRenderIn(integration.manifest, request.componentId, request.context.type)) {
            const message = `The component ${request.componentId} of ${integration.name} can't be rendered in this context`
            return yield* new RenderRejected({ message })
          }
          const key = JSON.stringify([
            integration.key,
            integration.version,
            integration.development,
            installation.updatedAt,
            changedAt,
            viewerKey(actor, seesClaims),
            request
          ])
          const now = yield* Clock.currentTimeMillis
          const cachedRender = cachedRenders.get(key)
          if (cachedRender !== undefined && cachedRender.until > now) {
            return { json: cachedRender.json, maxAge: Math.floor((cachedRender.until - now) / 1000) }
          }
          const { status, text, json, headers } = yield* run(target, request, actor).pipe(
            Effect.catchTag("RunFailed", ({ reason, message }) =>
              Effect.fail(reason === "unusable" ? renderFailure(integration) : new RenderFailed({ message }))
            )
          )
          if (status >= 400 && status < 500) return yield* new RenderRejected({ message: errorMessageOf(json, status) })
          if (status !== 200 || json === undefined) {
            return yield* renderFailure(integration)
          }
          const isUnchanged =
            json["type"] === "element" && !seesClaims && !Object.hasOwn(json, "canAccessVisitorClaims")
          // The response states whether renderers expose claims of visitors to the program. The program must not decide
          // about it.
          const output =
            isUnchanged || json["type"] === "complete"
              ? text
              : JSON.stringify({ ...json, type: "element", canAccessVisitorClaims: seesClaims })
          const maxAge = isRepeatable(request) ? maxAgeOf(headers.find(([name]) => name === "cache-control")?.[1]) : 0
          if (maxAge > 0)
            cachedRenders.set(key, { json: output, maxAge, until: now + maxAge * 1000 }, output.length + key.length)
          return { json: output, maxAge }
        })
      })
    })
  )
}

/** Returns true if a request can be repeated. Unfurling a link has no effects; any other action may have. */
const isRepeatable = ({ action }: RenderRequest): boolean => action === undefined || action["action"] === "@link.unfurl"

const renderFailure = ({ name }: IntegrationRow) =>
  new RenderFailed({ message: `The integration ${name} could not render this component` })

/** Contexts in which an inactive integration can be configured. */
const configurationContexts: ReadonlySet<string> = new Set([
  "configuration_account",
  "configuration_space",
  "configuration_site"
])

/**
 * Returns the part of the cache key for the viewer. A program receives the id of a member, and of a visitor at most the
 * claims.
 */
const viewerKey = (actor: Actor, seesClaims: boolean): string =>
  actor.type === "user"
    ? `user ${actor.user}`
    : actor.type === "visitor"
      ? `visitor ${actor.site}${seesClaims ? ` ${actor.kind}` : ""}`
      : actor.type

const jsonOf = (text: string): { readonly [name: string]: unknown } | undefined => {
  if (isTooDeep(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as { readonly [name: string]: unknown })
      : undefined
  } catch {
    return undefined
  }
}

/** Returns the program's own message about a failed request, at most 500 characters. */
const errorMessageOf = (json: { readonly [name: string]: unknown } | undefined, status: number): string =>
  typeof json?.["error"] === "string" && json["error"] !== ""
    ? json["error"].slice(0, 500)
    : `The integration responded with status ${status}`

const maxAgeOf = (cacheControl: string | undefined): number => {
  const seconds = /(?:^|,)\s*max-age=(\d{1,9})/.exec(cacheControl ?? "")?.[1]
  return seconds === undefined || /no-store|private/.test(cacheControl ?? "") ? 0 : Math.min(Number(seconds), 86_400)
}
