/**
 * Blocks that the active integrations of a space provide for its documents, and the properties that they made of links.
 */
import { Context, Effect, Layer } from "effect"
import type { FencedBlock } from "@lectern/document/integration-blocks/BlockOrigin"
import {
  type IntegrationBlock,
  type IntegrationLink,
  type LinkResults,
  linkKey
} from "@lectern/document/integration-blocks/IntegrationBlocks"
import { Ids } from "../identity/Ids.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { type SpaceId, type SpaceRow, SpaceTable } from "../space/Space.ts"
import * as ReadCache from "../storage/ReadCache.ts"
import { Hasher } from "../storage/Hasher.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { InstallationId } from "./Installation.ts"
import { IntegrationRuntime } from "./IntegrationRuntime.ts"
import { ActiveIntegrations, type ActiveIntegration } from "./ActiveIntegrations.ts"
import { maxUnfurledLinks, type UnfurledLinkRow, UnfurledLinkTable } from "./UnfurledLink.ts"

const maxCachedOrganizations = 1_000

export interface SpaceBlocks {
  /** Cache key of documents with these blocks. Changes with `version` and with every stored unfurled link. */
  readonly key: string
  /** Changes with every publication or change of these integrations. */
  readonly version: string
  readonly blocks: ReadonlyArray<IntegrationBlock>
}

type Space = Pick<SpaceRow, "id" | "organization">

/** Result of unfurling a link. `props` is undefined if the program did not accept the link. */
export interface UnfurlResult extends IntegrationLink {
  readonly props: UnfurledLinkRow["props"]
}

export class InstalledBlocks extends Context.Service<
  InstalledBlocks,
  {
    /** Returns the blocks of a space; undefined if the space has no blocks or no runtime is available. */
    readonly blocksOf: (space: Space) => Effect.Effect<SpaceBlocks | undefined, StorageError>
    /** Returns the blocks that documents store as code blocks and the interface returns as blocks. */
    readonly fenced: (space: SpaceId) => Effect.Effect<ReadonlyArray<FencedBlock>, StorageError>
    /** Returns the stored results for links in a space. */
    readonly unfurled: (space: Space, links: ReadonlyArray<IntegrationLink>) => Effect.Effect<LinkResults, StorageError>
    /** Stores results of unfurled links in a space. */
    readonly store: (space: Space, unfurled: ReadonlyArray<UnfurlResult>) => Effect.Effect<void, StorageError>
    /** Removes the results of an installation. Called inside the transaction that removes the installation. */
    readonly removeFor: (installation: InstallationId) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/integration/InstalledBlocks") {
  static readonly layer = Layer.effect(
    InstalledBlocks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const activeIntegrations = yield* ActiveIntegrations
      const runtime = yield* IntegrationRuntime
      const hasher = yield* Hasher
      const ids = yield* Ids
      const spaces = storage.repository(SpaceTable)
      const unfurledLinks = storage.repository(UnfurledLinkTable)
      const cachedLast = yield* ReadCache.make<string>(maxCachedOrganizations)

      const lastOf = (organization: OrganizationId) =>
        cachedLast(
          organization,
          Effect.map(
            unfurledLinks.list({ where: { organization }, order: ["id"], descending: true, limit: 1 }),
            ([row]) => row?.id ?? "none"
          )
        )

      const providersOn = Effect.fnUntraced(function* ({ id, organization }: Space) {
        const placedIntegrations = runtime.isAvailable ? yield* activeIntegrations.list(organization, "space", id) : []
        return placedIntegrations.filter(({ integration }) => (integration.manifest.blocks ?? []).length > 0)
      })

      const providersByNameOn = Effect.fnUntraced(function* (space: Space) {
        return new Map((yield* providersOn(space)).map((provider) => [provider.integration.name, provider] as const))
      })

      return InstalledBlocks.of({
        blocksOf: Effect.fnUntraced(function* (space) {
          const providers = yield* providersOn(space)
          if (providers.length === 0) return undefined
          const blocks = providers.flatMap(blocksOf)
          // `updatedAt` changes with every publication, even of an equal version.
          const publishedVersions = providers.map(({ integration: { key, version, updatedAt } }) => [
            key,
            version,
            updatedAt
          ])
          const version = hasher.sha256(JSON.stringify(publishedVersions)).slice(0, 22)
          const takesLinks = blocks.some(({ urls }) => urls.length > 0)
          const lastLink = takesLinks ? yield* lastOf(space.organization) : "none"
          return { key: lastLink === "none" ? version : `${version}.${lastLink}`, version, blocks }
        }),

        fenced: Effect.fnUntraced(function* (id) {
          const space = yield* spaces.get({ id })
          const providers = space === undefined ? [] : yield* providersOn(space)
          return providers
            .flatMap(blocksOf)
            .flatMap(({ fence, integration, block }) => (fence === undefined ? [] : [{ integration, block, fence }]))
        }),

        unfurled: Effect.fnUntraced(function* (space, links) {
          const providersByName = yield* providersByNameOn(space)
          const requests = links.flatMap((link) => {
            const provider = providersByName.get(link.integration)
            return provider === undefined ? [] : [{ link, of: provider }]
          })
          const rows = yield* unfurledLinks.getMany(
            requests.map(({ link: { block, url }, of }) => ({ installation: of.installation.id, block, url }))
          )
          const results = new Map<string, UnfurledLinkRow["props"] | null>()
          for (const [i, { link, of }] of requests.entries()) {
            const row = rows[i]
            if (row === undefined) continue
            if (row.props !== undefined) results.set(linkKey(link), row.props)
            else if (row.version === of.integration.version) results.set(linkKey(link), null)
          }
          return results as LinkResults
        }),

        store: Effect.fnUntraced(function* (space, links) {
          if (links.length === 0) return
          yield* storage.transaction(
            Effect.gen(function* () {
              const providersByName = yield* providersByNameOn(space)
              for (const { integration, block, url, props } of links) {
                const provider = providersByName.get(integration)
                if (provider === undefined) continue
                const key = { installation: provider.installation.id, block, url }
                yield* unfurledLinks.remove(key)
                const { version } = provider.integration
                const { organization } = space
                const row = { ...key, organization, id: yield* ids.next, version, ...(props && { props }) }
                yield* unfurledLinks.insert(row).pipe(cannotConflict)
              }
              for (const installation of new Set(
                links.flatMap(({ integration }) => providersByName.get(integration)?.installation.id ?? [])
              )) {
                const excessCount = (yield* unfurledLinks.count({ installation })) - maxUnfurledLinks
                const oldLinks =
                  excessCount > 0
                    ? yield* unfurledLinks.list({ where: { installation }, order: ["id"], limit: excessCount })
                    : []
                if (oldLinks.length > 0) {
                  yield* unfurledLinks.remove(oldLinks.map(({ block, url }) => ({ installation, block, url })))
                }
              }
            })
          )
        }),

        removeFor: (installation) => Effect.asVoid(unfurledLinks.remove({ installation }))
      })
    })
  )
}

const blocksOf = ({ integration: { name, manifest } }: ActiveIntegration): ReadonlyArray<IntegrationBlock> =>
  manifest.blocks!.map(({ id: block, markdown, urlUnfurl = [] }) => ({
    integration: name,
    block,
    ...(markdown && { fence: { language: markdown.codeblock, body: markdown.body } }),
    urls: urlUnfurl
  }))
