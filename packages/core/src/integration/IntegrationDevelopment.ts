/**
 * Development mode: for a limited time the events of an integration go through a tunnel to its developer's machine. The
 * mode ends after a day or once the tunnel is unreachable (see `DevelopmentTermination`), because the machine may
 * disappear without notice.
 *
 * Limits: 24 hours; a tunnel URL of 256 characters, at an address that this server may fetch from (see `GuardedFetch`).
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { OtherAction } from "../audit/AuditActions.ts"
import { makeAuditTrail, type NewAuditEvent } from "../audit/AuditTrail.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { GuardedFetch } from "../fetch/GuardedFetch.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Secrets } from "../identity/Secrets.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { makeDevelopmentTermination } from "./DevelopmentTermination.ts"
import { DevelopmentPut, type IntegrationNotFound, type IntegrationRow, IntegrationTable } from "./Integration.ts"
import { makeIntegrationPolicy } from "./IntegrationPolicy.ts"
import { requireDelegable } from "./DelegatedScopes.ts"

const maxDuration = Duration.toMillis(Duration.hours(24))

const acceptPut = accepting(DevelopmentPut)

type Failure = IntegrationNotFound | Forbidden | StorageError

export class IntegrationDevelopment extends Context.Service<
  IntegrationDevelopment,
  {
    /**
     * Sends an integration's events to a tunnel instead of its program, for 24 hours. Requires permission to manage the
     * integration.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound}
     * @throws {InvalidInput}
     */
    readonly begin: (
      integration: string,
      input: DevelopmentPut
    ) => Effect.Effect<void, Failure | InvalidInput, CurrentActor>
    /**
     * Sends an integration's events to its program again. Does nothing if development mode is off.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound}
     */
    readonly end: (integration: string) => Effect.Effect<void, Failure, CurrentActor>
  }
>()("@lectern/core/integration/IntegrationDevelopment") {
  static readonly layer = Layer.effect(
    IntegrationDevelopment,
    Effect.gen(function* () {
      const storage = yield* Storage
      const fetcher = yield* GuardedFetch
      const secrets = yield* Secrets
      const policy = yield* makeIntegrationPolicy
      const trail = yield* makeAuditTrail
      const ends = yield* makeDevelopmentTermination
      const integrations = storage.repository(IntegrationTable)

      const record = (
        action: OtherAction,
        { organization, key, manifest }: IntegrationRow,
        payload: NonNullable<NewAuditEvent["payload"]> = {}
      ) =>
        trail.record({
          organization,
          action,
          target: { type: "integration", id: key, label: manifest.title },
          payload
        })

      return IntegrationDevelopment.of({
        begin: Effect.fn("IntegrationDevelopment.begin")(function* (name, rawInput) {
          const { tunnelUrl, all = false } = yield* acceptPut(rawInput)
          const { href } = yield* fetcher
            .check(tunnelUrl)
            .pipe(Effect.mapError(({ message }) => new InvalidInput({ issues: [{ path: "body.tunnelUrl", message }] })))
          const endsAt = Timestamps.at((yield* Clock.currentTimeMillis) + maxDuration)
          const developer = userOf(yield* CurrentActor)
          yield* storage.transaction(
            Effect.gen(function* () {
              const { integration } = yield* policy.require(name, "manage this integration")
              yield* requireDelegable(integration.manifest.scopes, "be told its events")
              const key = { key: integration.key }
              const tunnelUrl = yield* secrets.seal(IntegrationTable, key, "tunnelUrl", href)
              const development = { all, developer, endsAt }
              yield* integrations.update(key, { development, tunnelUrl }).pipe(cannotConflict)
              yield* ends.scheduleEnd(integration.key, endsAt)
              yield* record("integration_development_started", integration, { all, endsAt })
            })
          )
        }),

        end: Effect.fn("IntegrationDevelopment.end")(function* (name) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const { integration } = yield* policy.require(name, "manage this integration")
              if (integration.development === undefined) return
              yield* integrations
                .update({ key: integration.key }, { development: undefined, tunnelUrl: undefined })
                .pipe(cannotConflict)
              yield* record("integration_development_ended", integration)
            })
          )
        })
      })
    })
  )
}
