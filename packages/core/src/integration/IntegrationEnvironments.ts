/**
 * Environment of a program: its integration and installation, tokens for the HTTP interface, its secrets, and signing
 * keys derived by this instance.
 *
 * Building an environment takes longer than most programs run. Environments and their parts are cached until a row
 * that they were built from changes.
 *
 * Limits: 16 MiB of the most recently used environments and parts, each for a minute, so tokens may be a minute old.
 */
import { Clock, Effect } from "effect"
import { Access } from "../access/Access.ts"
import { CurrentActor, host } from "../access/Actor.ts"
import { Instance } from "../identity/Instance.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Secrets } from "../identity/Secrets.ts"
import * as ReadCache from "../storage/ReadCache.ts"
import { LruCache } from "../storage/LruCache.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import {
  impliedPlacement,
  type InstallationId,
  type InstallationRow,
  type PlacementRow,
  PlacementTable,
  type PlacementKind
} from "./Installation.ts"
import { type IntegrationRow, IntegrationTable } from "./Integration.ts"
import { InstalledSpaces } from "./InstalledSpaces.ts"
import { makeIntegrationPresenter } from "./IntegrationPresenter.ts"
import { makeIntegrationTokens } from "./IntegrationTokens.ts"
import * as SigningSecrets from "./SigningSecrets.ts"

/** The integration, installation and content that a run is for. */
export interface RunTarget {
  readonly integration: IntegrationRow
  readonly installation?: InstallationRow
  readonly content?: { readonly kind: PlacementKind; readonly id: string }
  /** For a task: the installation in whose run the task was requested. */
  readonly about?: InstallationId
}

const maxCachedCharacters = 16 * 1024 * 1024
const partsCachedMillis = 60_000
/** Time in milliseconds for which a whole environment is reused. */
const environmentCachedMillis = 1_000

interface CachedParts {
  /** Rows that the environment was built from. Rows are immutable, so a changed row is a different object. */
  readonly rows: ReadonlyArray<unknown>
  readonly until: number
  readonly parts: ReadonlyArray<string>
}

export const makeIntegrationEnvironments = Effect.gen(function* () {
  const storage = yield* Storage
  const instance = yield* Instance
  const access = yield* Access
  const tokens = yield* makeIntegrationTokens
  const secrets = yield* Secrets
  const presenter = yield* makeIntegrationPresenter
  const spaces = yield* InstalledSpaces
  const publicUrl = yield* PublicUrl
  const placements = storage.repository(PlacementTable)
  const cachedParts = new LruCache<string, CachedParts>(maxCachedCharacters)
  /** Whole environments, returned without reading rows. */
  const cachedEnvironments = yield* ReadCache.make<string>(maxCachedCharacters, {
    ttl: environmentCachedMillis,
    sizeOf: ({ length }) => length
  })

  /**
   * Builds the parts that do not depend on a space or site. Parts of a space or site follow the first and the last
   * of the three.
   */
  const make = Effect.fnUntraced(function* ({ integration, installation, about = installation?.id }: RunTarget) {
    const { key } = integration
    const [presentedIntegration] = yield* Effect.provideService(
      presenter.integrations([integration]),
      CurrentActor,
      host
    )
    return [
      {
        apiEndpoint: publicUrl,
        apiTokens: {
          integration: yield* tokens.make(
            { type: "integration", integration: key, ...(about && { about }) },
            integration
          ),
          ...(installation && {
            installation: yield* tokens.make(
              {
                type: "installation",
                integration: key,
                installation: installation.id,
                organization: installation.organization
              },
              integration
            )
          })
        },
        integration: presentedIntegration,
        ...(installation && { installation: yield* presenter.installation(integration, installation, true) })
      },
      { secrets: (yield* secrets.open(IntegrationTable, integration, "secrets")) ?? {} },
      {
        integration: SigningSecrets.ofIntegration(instance, integration),
        ...(installation && { installation: SigningSecrets.ofInstallation(instance, installation.id) })
      }
    ].map((part) => JSON.stringify(part).slice(1, -1))
  })

  /** Builds the parts for a space or site: its placement, and its signing key. */
  const makeForPlacement = Effect.fnUntraced(function* (
    integration: IntegrationRow,
    installation: InstallationRow,
    placement: PlacementRow
  ) {
    const { kind, content } = placement
    const presentedPlacement = yield* presenter.placement(integration, installation, placement, true)
    const name = `"${kind}Installation"`
    return [
      `,${name}:${JSON.stringify({ ...presentedPlacement, [kind]: content })}`,
      `,${name}:${JSON.stringify(SigningSecrets.ofPlacement(instance, installation.id, kind, content))}`
    ]
  })

  /** Returns cached parts that were built from the same rows less than a minute ago, or builds them. */
  const getOrMake = Effect.fnUntraced(function* (
    key: string,
    rows: ReadonlyArray<unknown>,
    make: Effect.Effect<ReadonlyArray<string>, StorageError>
  ) {
    const now = yield* Clock.currentTimeMillis
    const cachedEntry = cachedParts.get(key)
    if (cachedEntry !== undefined && cachedEntry.until > now && rows.every((row, i) => row === cachedEntry.rows[i])) {
      return cachedEntry.parts
    }
    const parts = yield* make
    cachedParts.set(key, { rows, until: now + partsCachedMillis, parts }, parts.join("").length + key.length)
    return parts
  })

  const sharedParts = Effect.fnUntraced(function* (setting: RunTarget) {
    const { integration, installation, about } = setting
    const owner = yield* access.facts(integration.organization)
    const count = installation && (yield* spaces.count(installation))
    const key = installation?.id ?? `${integration.key} ${about}`
    return yield* getOrMake(key, [integration, installation, owner, count], make(setting))
  })

  const forPlacement = Effect.fnUntraced(function* (
    integration: IntegrationRow,
    installation: InstallationRow,
    { kind, id }: NonNullable<RunTarget["content"]>
  ) {
    const existingPlacement = yield* placements.get({ installation: installation.id, kind, content: id })
    return yield* getOrMake(
      `${installation.id} ${kind} ${id}`,
      [integration, installation, existingPlacement],
      makeForPlacement(integration, installation, existingPlacement ?? impliedPlacement(installation, kind, id))
    )
  })

  const assemble = Effect.fnUntraced(function* (setting: RunTarget) {
    const { integration, installation, content } = setting
    const [basePart, secretsPart, signingPart] = yield* sharedParts(setting)
    const [contentPart, contentSigningPart] =
      installation && content ? yield* forPlacement(integration, installation, content) : ["", ""]
    return `{${basePart}${contentPart},${secretsPart},"signingSecrets":{${signingPart}${contentSigningPart}}}`
  })

  return {
    /** Returns the environment as JSON. */
    make: (setting: RunTarget) => {
      const { integration, installation, about, content } = setting
      const key = `${integration.key} ${installation?.id} ${about} ${content?.kind} ${content?.id}`
      return cachedEnvironments(key, assemble(setting), [integration, installation])
    }
  }
})
