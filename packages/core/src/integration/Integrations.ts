/** Lists, reads, publishes and unpublishes integrations. */
import { Context, Effect, Layer } from "effect"
import { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Events } from "../event/Events.ts"
import { OrganizationId, OrganizationNotFound, OrganizationTable } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import { Secrets } from "../identity/Secrets.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { foldText } from "../search/Words.ts"
import { BlobStore } from "../storage/BlobStore.ts"
import type { Condition } from "../storage/Condition.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { cannotConflict, Storage, StorageError } from "../storage/Storage.ts"
import * as StoredBlob from "../storage/StoredBlob.ts"
import { Threads, type TooCostly } from "../thread/Threads.ts"
import { InstallationTable } from "./Installation.ts"
import {
  type Integration,
  IntegrationFilter,
  IntegrationLeaving,
  IntegrationName,
  IntegrationNameTaken,
  type IntegrationNotFound,
  IntegrationPublish,
  type IntegrationRow,
  IntegrationTable,
  InvalidIntegration,
  isPublished,
  reservedPrefix,
  keyOf,
  maxIconBytes,
  maxIntegrations,
  maxPreviewBytes,
  maxScriptBytes,
  TooManyIntegrations
} from "./Integration.ts"
import { IntegrationEventTable } from "./IntegrationEvent.ts"
import { makeIntegrationRemoval } from "./IntegrationRemoval.ts"
import { IntegrationTaskTable } from "./IntegrationTask.ts"
import * as IntegrationImages from "./IntegrationImages.ts"
import { makeIntegrationPolicy } from "./IntegrationPolicy.ts"
import { makeIntegrationPresenter } from "./IntegrationPresenter.ts"
import { IntegrationRuntime } from "./IntegrationRuntime.ts"
import { CheckScript } from "./IntegrationScript.ts"
import { requireDelegable } from "./DelegatedScopes.ts"

const acceptName = accepting(IntegrationName, "path.integrationName")
const acceptPublish = accepting(IntegrationPublish)
const acceptFilter = accepting(IntegrationFilter)

export interface IntegrationAsset {
  readonly bytes: Uint8Array
  readonly contentType: string
}

export class Integrations extends Context.Service<
  Integrations,
  {
    /**
     * Lists public integrations and those of the actor's organizations, by title.
     *
     * @throws {InvalidCursor}
     * @throws {InvalidInput}
     */
    readonly list: (
      params: PageParams & IntegrationFilter
    ) => Effect.Effect<ListPage<Integration>, InvalidInput | InvalidCursor | StorageError, CurrentActor>
    /**
     * Lists the integrations that an organization may install, by title: public integrations, and integrations of the
     * organization.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     */
    readonly listFor: (
      organization: OrganizationId,
      params: PageParams & IntegrationFilter
    ) => Effect.Effect<
      ListPage<Integration>,
      OrganizationNotFound | Forbidden | InvalidInput | InvalidCursor | StorageError,
      CurrentActor
    >
    /**
     * Returns a published integration.
     *
     * @param name Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound} If the actor may not see the integration.
     */
    readonly get: (
      name: string
    ) => Effect.Effect<Integration, IntegrationNotFound | Forbidden | StorageError, CurrentActor>
    /**
     * Publishes the first or the next version of an integration.
     *
     * @param name Name of the integration, without regard to case.
     * @param input Manifest and program of the version.
     * @throws {Forbidden}
     * @throws {IntegrationLeaving}
     * @throws {IntegrationNameTaken}
     * @throws {InvalidInput}
     * @throws {InvalidIntegration}
     * @throws {OrganizationNotFound}
     * @throws {TooCostly}
     * @throws {TooManyIntegrations}
     */
    readonly publish: (
      name: string,
      input: IntegrationPublish
    ) => Effect.Effect<
      Integration,
      | InvalidInput
      | InvalidIntegration
      | IntegrationLeaving
      | IntegrationNameTaken
      | TooManyIntegrations
      | TooCostly
      | OrganizationNotFound
      | Forbidden
      | StorageError,
      CurrentActor
    >
    /**
     * Unpublishes an integration and removes its installations. Succeeds if it does not exist.
     *
     * @param name Name of the integration, without regard to case.
     * @throws {Forbidden}
     */
    readonly unpublish: (name: string) => Effect.Effect<void, Forbidden | StorageError, CurrentActor>
    /**
     * Returns the icon or a preview image of an integration, to everyone who has its URL.
     *
     * @param name Name of the integration, without regard to case.
     * @param hash Hash of the picture, from its URL.
     * @throws {IntegrationNotFound}
     */
    readonly asset: (name: string, hash: string) => Effect.Effect<IntegrationAsset, IntegrationNotFound | StorageError>
  }
>()("@lectern/core/integration/Integrations") {
  static readonly layer = Layer.effect(
    Integrations,
    Effect.gen(function* () {
      const storage = yield* Storage
      const blobs = yield* BlobStore
      const store = yield* StoredBlob.make
      const paging = yield* Paging
      const events = yield* Events
      const organizations = yield* Organizations
      const threads = yield* Threads
      const policy = yield* makeIntegrationPolicy
      const presenter = yield* makeIntegrationPresenter
      const runtime = yield* IntegrationRuntime
      const removal = yield* makeIntegrationRemoval
      const secretsService = yield* Secrets
      const integrations = storage.repository(IntegrationTable)
      const installations = storage.repository(InstallationTable)
      const records = storage.repository(IntegrationEventTable)
      const tasks = storage.repository(IntegrationTaskTable)
      const organizationRows = storage.repository(OrganizationTable)

      /** Lists public integrations and those of these organizations that match the filter, by title. */
      const listMatching = Effect.fnUntraced(function* (
        list: string,
        organizations: ReadonlyArray<string>,
        { limit, page, ...filterInput }: PageParams & IntegrationFilter
      ) {
        const filter = yield* acceptFilter(filterInput)
        const filterPart = filterCondition(filter)
        const where: Condition<typeof IntegrationTable> = [
          { ...filterPart, visibility: "public", ...(filter.owner !== undefined && { organization: filter.owner }) },
          {
            ...filterPart,
            visibility: anyVisibility,
            organization: {
              in: filter.owner === undefined ? organizations : organizations.filter((id) => id === filter.owner)
            }
          }
        ]
        const params = { ...(limit !== undefined && { limit }), ...(page !== undefined && { page }) }
        const name = `integrations ${list} ${JSON.stringify([organizations, filter])}`
        const order = ["folded"] as const
        const results =
          filter.search === undefined
            ? yield* paging.rows(IntegrationTable, name, { where, order }, params)
            : yield* paging.inOrder(
                (yield* integrations.list({ where, order })).filter(matches(foldText(filter.search))),
                name,
                ({ key }) => key,
                params
              )
        return { ...results, items: yield* presenter.integrations(results.items) }
      })

      const presentOne = Effect.fnUntraced(function* (row: IntegrationRow) {
        const [presentedIntegration] = yield* presenter.integrations([row])
        return (
          presentedIntegration ??
          (yield* new StorageError({ reason: "failed", message: "The organization of an integration is missing" }))
        )
      })

      /** Removes the events and tasks of an unpublished integration. */
      const removeRecords = ({ key }: IntegrationRow) =>
        Effect.andThen(
          records.remove({ integration: key, state: { in: ["queued", "success", "failed"] } }),
          tasks.remove({ integration: key })
        )

      const storeImage = Effect.fnUntraced(function* (text: string, path: string, maxBytes: number) {
        const { bytes, contentType } = yield* IntegrationImages.decode(text, path, maxBytes)
        return { blob: yield* store(bytes), contentType }
      })

      /** Returns the id of an organization by id or subdomain, if the actor may publish for it. */
      const publisherOf = Effect.fnUntraced(function* (organization: string) {
        const [publisher] = yield* organizationRows.list({ where: { hostname: organization.toLowerCase() }, limit: 1 })
        const id = publisher?.id ?? OrganizationId.make(organization)
        const authorizedOrganization = yield* organizations
          .require(id, "publish integrations of this organization")
          .pipe(
            Effect.mapError((failure) =>
              failure._tag === "OrganizationNotFound"
                ? new OrganizationNotFound({ message: `There is no organization ${organization.slice(0, 100)}` })
                : failure
            )
          )
        return authorizedOrganization.organization.id
      })

      return Integrations.of({
        list: Effect.fn("Integrations.list")(function* (params) {
          return yield* listMatching("of everyone", yield* policy.organizationsOf(), params)
        }),

        listFor: Effect.fn("Integrations.listFor")(function* (organization, params) {
          yield* organizations.require(organization, "see this organization")
          return yield* listMatching("for an organization", [organization], params)
        }),

        get: Effect.fn("Integrations.get")(function* (name) {
          const { integration } = yield* policy.require(name, "see this integration")
          return yield* presentOne(integration)
        }),

        publish: Effect.fn("Integrations.publish")(function* (name, rawInput) {
          yield* acceptName(name)
          const organization = yield* publisherOf(rawInput.organization)
          const actor = yield* CurrentActor
          if (keyOf(name).startsWith(reservedPrefix) && actor.type !== "host") {
            const message = `Names that begin with ${reservedPrefix} are reserved for the integrations that come with Lectern`
            return yield* new IntegrationNameTaken({ message })
          }
          const input = yield* acceptPublish(rawInput)
          yield* requireDelegable(input.scopes, "publish this integration")
          const {
            icon,
            previewImages = [],
            script,
            runtime: version = "v1",
            secrets,
            organization: _,
            ...manifestInput
          } = input
          const scriptBytes = new TextEncoder().encode(script)
          if (scriptBytes.length > maxScriptBytes) return yield* invalidInput("body.script", "Expected at most 4 MiB")
          const scriptProblem = yield* threads.run(CheckScript, { text: script, runtime: version })
          if (scriptProblem !== undefined) return yield* invalidInput("body.script", scriptProblem)
          const images = {
            ...(icon !== undefined && { icon: yield* storeImage(icon, "body.icon", maxIconBytes) }),
            previewImages: yield* Effect.forEach(previewImages, (image, i) =>
              storeImage(image, `body.previewImages[${i}]`, maxPreviewBytes)
            )
          }
          const storedScript = yield* store(scriptBytes)
          const key = keyOf(name)
          const sealedSecrets =
            secrets === undefined
              ? undefined
              : yield* secretsService.seal(IntegrationTable, { key }, "secrets", secrets)
          const row = yield* storage.transaction(
            Effect.gen(function* () {
              yield* organizations.require(organization, "publish integrations of this organization")
              const formerIntegration = yield* integrations.get({ key })
              const publishedIntegration = isPublished(formerIntegration) ? formerIntegration : undefined
              if (
                formerIntegration !== undefined &&
                publishedIntegration === undefined &&
                (yield* installations.count({ integration: key })) > 0
              ) {
                return yield* new IntegrationLeaving({
                  message: `The installations of the former integration ${name} are still being removed: try again in a minute`
                })
              }
              // Events that are queued for the former program are removed, since they must not reach the new one.
              if (formerIntegration !== undefined && publishedIntegration === undefined)
                yield* removeRecords(formerIntegration)
              if (publishedIntegration !== undefined && publishedIntegration.organization !== organization) {
                return yield* new IntegrationNameTaken({ message: `The name ${name} is taken by another organization` })
              }
              if (
                publishedIntegration === undefined &&
                (yield* integrations.count({ organization, visibility: anyVisibility })) >= maxIntegrations
              ) {
                return yield* new TooManyIntegrations({
                  message: `An organization has at most ${maxIntegrations.toLocaleString("en")} integrations: unpublish one first`
                })
              }
              const now = yield* Timestamps.now
              const nextVersion: IntegrationRow = {
                key,
                name,
                organization,
                version: (publishedIntegration?.version ?? 0) + 1,
                runtime: version,
                manifest: {
                  ...manifestInput,
                  visibility: manifestInput.visibility ?? "private",
                  target: manifestInput.target ?? "all",
                  categories: manifestInput.categories ?? [],
                  externalLinks: manifestInput.externalLinks ?? []
                },
                verified: actor.type === "host",
                ...images,
                script: storedScript,
                ...(sealedSecrets !== undefined && { secrets: sealedSecrets }),
                ...(publishedIntegration?.development && {
                  development: publishedIntegration.development,
                  tunnelUrl: publishedIntegration.tunnelUrl
                }),
                createdAt: publishedIntegration?.createdAt ?? now,
                updatedAt: now
              }
              if (formerIntegration !== undefined) yield* integrations.remove({ key })
              yield* storage.afterCommit(runtime.stop(key))
              yield* integrations.insert(nextVersion).pipe(cannotConflict)
              yield* events.emit({ type: "integration_published", organization, integration: key }, { label: name })
              return nextVersion
            })
          )
          return yield* presentOne(row)
        }),

        unpublish: Effect.fn("Integrations.unpublish")(function* (name) {
          yield* storage
            .transaction(
              Effect.gen(function* () {
                const { integration } = yield* policy.require(name, "manage this integration")
                const { key, organization } = integration
                yield* removal.begin(integration)
                yield* integrations.update({ key }, { unpublishedAt: yield* Timestamps.now }).pipe(cannotConflict)
                yield* events.emit(
                  { type: "integration_unpublished", organization, integration: key },
                  { label: integration.name }
                )
              })
            )
            .pipe(Effect.catchTag("IntegrationNotFound", () => Effect.void))
        }),

        asset: Effect.fnUntraced(function* (name, hash) {
          const integration = yield* integrations.get({ key: keyOf(name) })
          const images = isPublished(integration) ? [integration.icon, ...integration.previewImages] : []
          const image = images.find((image) => image?.blob === hash)
          const bytes = image && (yield* blobs.get(image.blob))
          return bytes === undefined ? yield* policy.notFound(name) : { bytes, contentType: image!.contentType }
        })
      })
    })
  )
}

/** Any visibility. The column is null for unpublished integrations. */
const anyVisibility = { in: ["public", "private", "unlisted"] }

const invalidInput = (path: string, message: string) => new InvalidIntegration({ issues: [{ path, message }] })

/** Returns the part of a filter that the store evaluates. Integrations for all targets match every target. */
const filterCondition = ({ category, scope, blockDomain, blocks, contentSources, target }: IntegrationFilter) => ({
  ...(category !== undefined && { categories: { any: [category] } }),
  ...(scope !== undefined && { scopes: { any: [scope] } }),
  ...(blockDomain !== undefined && { blockDomains: { any: [blockDomain.toLowerCase()] } }),
  ...(blocks !== undefined && { hasBlocks: blocks }),
  ...(contentSources !== undefined && { hasContentSources: contentSources }),
  ...(target !== undefined && { target: { in: [...new Set([target, "all"])] } })
})

/** Returns true if the name or the title contains the words. */
const matches =
  (foldedSearch: string) =>
  ({ name, manifest }: IntegrationRow): boolean =>
    foldText(name).includes(foldedSearch) || foldText(manifest.title).includes(foldedSearch)
