/**
 * Environment of a program: its integration and installation as they are now, tokens for the interface, its
 * secrets, and keys to sign with, which only this instance can make.
 *
 * To make it costs more than most programs do with it, so it is kept as long as nothing is written that it was read
 * from, and its parts as long as every row that they are made of is still the same.
 *
 * Limits: those used last are kept, 16 MiB of them and of their parts, each for a minute: its tokens may be as old.
 */
import { Clock, Context, Effect } from "effect"
import { AccessFacts } from "../access/AccessFacts.ts"
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
import { IntegrationPresenter } from "./IntegrationPresenter.ts"
import { IntegrationTokens } from "./IntegrationTokens.ts"
import * as SigningSecrets from "./SigningSecrets.ts"
import { wired } from "../wiring/Wired.ts"

/** Subject of a run. */
export interface Setting {
  readonly integration: IntegrationRow
  readonly installation?: InstallationRow
  readonly content?: { readonly kind: PlacementKind; readonly id: string }
  /** For a task: the installation in whose run it was asked for. */
  readonly about?: InstallationId
}

const keptCharacters = 16 * 1024 * 1024
const keptFor = 60_000
/** Its tokens are as old at most as those of one that was made of the same rows. */
const asItWasFor = 1_000

interface Kept {
  /**
   * Rows that the environment was made of. Rows are never changed in place, so another row means another
   * environment.
   */
  readonly rows: ReadonlyArray<unknown>
  readonly until: number
  readonly parts: ReadonlyArray<string>
}

export class IntegrationEnvironments extends Context.Service<
  IntegrationEnvironments,
  {
    /** As JSON. */
    readonly make: (setting: Setting) => Effect.Effect<string, StorageError>
  }
>()("@lectern/core/integration/IntegrationEnvironments") {
  static readonly layer = wired(
    IntegrationEnvironments,
    Effect.gen(function* () {
      const storage = yield* Storage
      const instance = yield* Instance
      const facts = yield* AccessFacts
      const tokens = yield* IntegrationTokens
      const secrets = yield* Secrets
      const presenter = yield* IntegrationPresenter
      const spaces = yield* InstalledSpaces
      const publicUrl = yield* PublicUrl
      const placements = storage.repository(PlacementTable)
      const kept = new LruCache<string, Kept>(keptCharacters)
      /** Environments as they were put together: rows are not even looked up. */
      const lately = yield* ReadCache.make<string>(keptCharacters, {
        ttl: asItWasFor,
        sizeOf: ({ length }) => length
      })

      /**
       * Environment that is the same wherever an installation is, in three parts: those of a content stand behind
       * the first and the last.
       */
      const make = Effect.fnUntraced(function* ({ integration, installation, about = installation?.id }: Setting) {
        const { key } = integration
        const [shown] = yield* Effect.provideService(presenter.integrations([integration]), CurrentActor, host)
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
            integration: shown,
            ...(installation && { installation: yield* presenter.installation(integration, installation, true) })
          },
          { secrets: (yield* secrets.open(IntegrationTable, integration, "secrets")) ?? {} },
          {
            integration: SigningSecrets.ofIntegration(instance, integration),
            ...(installation && { installation: SigningSecrets.ofInstallation(instance, installation.id) })
          }
        ].map((part) => JSON.stringify(part).slice(1, -1))
      })

      /** Environment of a space or site: itself, and the key to sign with there. */
      const makePlaced = Effect.fnUntraced(function* (
        integration: IntegrationRow,
        installation: InstallationRow,
        placement: PlacementRow
      ) {
        const { kind, content } = placement
        const presented = yield* presenter.placement(integration, installation, placement, true)
        const name = `"${kind}Installation"`
        return [
          `,${name}:${JSON.stringify({ ...presented, [kind]: content })}`,
          `,${name}:${JSON.stringify(SigningSecrets.ofPlacement(instance, installation.id, kind, content))}`
        ]
      })

      /** The parts that were made of these very rows not long ago, or are made now. */
      const remembered = Effect.fnUntraced(function* (
        key: string,
        rows: ReadonlyArray<unknown>,
        make: Effect.Effect<ReadonlyArray<string>, StorageError>
      ) {
        const now = yield* Clock.currentTimeMillis
        const known = kept.get(key)
        if (known !== undefined && known.until > now && rows.every((row, i) => row === known.rows[i])) {
          return known.parts
        }
        const parts = yield* make
        kept.set(key, { rows, until: now + keptFor, parts }, parts.join("").length + key.length)
        return parts
      })

      const shared = Effect.fnUntraced(function* (setting: Setting) {
        const { integration, installation, about } = setting
        const owner = yield* facts.organization(integration.organization)
        const count = installation && (yield* spaces.count(installation))
        const key = installation?.id ?? `${integration.key} ${about}`
        return yield* remembered(key, [integration, installation, owner, count], make(setting))
      })

      const placed = Effect.fnUntraced(function* (
        integration: IntegrationRow,
        installation: InstallationRow,
        { kind, id }: NonNullable<Setting["content"]>
      ) {
        const known = yield* placements.get({ installation: installation.id, kind, content: id })
        return yield* remembered(
          `${installation.id} ${kind} ${id}`,
          [integration, installation, known],
          makePlaced(integration, installation, known ?? impliedPlacement(installation, kind, id))
        )
      })

      const put = Effect.fnUntraced(function* (setting: Setting) {
        const { integration, installation, content } = setting
        const [where, opened, signing] = yield* shared(setting)
        const [there, signedThere] =
          installation && content ? yield* placed(integration, installation, content) : ["", ""]
        return `{${where}${there},${opened},"signingSecrets":{${signing}${signedThere}}}`
      })

      return IntegrationEnvironments.of({
        make: (setting) => {
          const { integration, installation, about, content } = setting
          const key = `${integration.key} ${installation?.id} ${about} ${content?.kind} ${content?.id}`
          return lately(key, put(setting), [integration, installation])
        }
      })
    }),
    [
      AccessFacts.layer,
      InstalledSpaces.layer,
      Instance.layer,
      IntegrationPresenter.layer,
      IntegrationTokens.layer,
      Secrets.layer
    ]
  )
}
