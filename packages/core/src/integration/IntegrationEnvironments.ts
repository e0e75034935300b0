/**
 * What a program is told about where it runs: its integration and installation as they are now, tokens
 * for the interface, its secrets, and keys to sign with, which only this instance can make.
 */
import { Context, Effect, Layer } from "effect"
import { CurrentActor, host } from "../access/Actor.ts"
import { Instance } from "../identity/Instance.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Secrets } from "../identity/Secrets.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import {
  type InstallationId,
  type InstallationRow,
  type PlacementRow,
  PlacementTable,
  type PlacementKind
} from "./Installation.ts"
import { type IntegrationRow, IntegrationTable } from "./Integration.ts"
import { IntegrationPresenter } from "./IntegrationPresenter.ts"
import { IntegrationTokens } from "./IntegrationTokens.ts"
import * as SigningSecrets from "./SigningSecrets.ts"

/** What a run is about. */
export interface Setting {
  readonly integration: IntegrationRow
  readonly installation?: InstallationRow
  readonly content?: { readonly kind: PlacementKind; readonly id: string }
  /** For a task: the installation in whose run it was asked for. */
  readonly about?: InstallationId
}

export class IntegrationEnvironments extends Context.Service<
  IntegrationEnvironments,
  {
    readonly make: (setting: Setting) => Effect.Effect<object, StorageError>
  }
>()("@lectern/core/integration/IntegrationEnvironments") {
  static readonly layer = Layer.effect(
    IntegrationEnvironments,
    Effect.gen(function* () {
      const storage = yield* Storage
      const instance = yield* Instance
      const tokens = yield* IntegrationTokens
      const secrets = yield* Secrets
      const presenter = yield* IntegrationPresenter
      const publicUrl = yield* PublicUrl
      const placements = storage.repository(PlacementTable)

      const placementOf = Effect.fnUntraced(function* (
        installation: InstallationRow,
        content: NonNullable<Setting["content"]>
      ) {
        const key = { installation: installation.id, kind: content.kind, content: content.id }
        const kept = yield* placements.get(key)
        const { integration, organization, createdAt } = installation
        return (kept ?? {
          ...key,
          integration,
          organization,
          externalIds: [],
          createdAt,
          updatedAt: createdAt
        }) satisfies PlacementRow
      })

      return IntegrationEnvironments.of({
        make: Effect.fnUntraced(function* ({ integration, installation, content, about = installation?.id }) {
          const { key } = integration
          const [shown] = yield* Effect.provideService(presenter.integrations([integration]), CurrentActor, host)
          const placement = installation && content && (yield* placementOf(installation, content))
          const presented = placement && (yield* presenter.placement(integration, installation, placement, true))
          return {
            apiEndpoint: publicUrl,
            apiTokens: {
              integration: yield* tokens.make({ type: "integration", integration: key, ...(about && { about }) }),
              ...(installation && {
                installation: yield* tokens.make({
                  type: "installation",
                  integration: key,
                  installation: installation.id,
                  organization: installation.organization
                })
              })
            },
            integration: shown,
            ...(installation && { installation: yield* presenter.installation(integration, installation, true) }),
            ...(presented && { [`${content!.kind}Installation`]: { ...presented, [content!.kind]: content!.id } }),
            secrets: (yield* secrets.open(IntegrationTable, integration, "secrets")) ?? {},
            signingSecrets: {
              integration: SigningSecrets.ofIntegration(instance, key),
              ...(installation && { installation: SigningSecrets.ofInstallation(instance, installation.id) }),
              ...(installation &&
                content && {
                  [`${content.kind}Installation`]: SigningSecrets.ofPlacement(
                    instance,
                    installation.id,
                    content.kind,
                    content.id
                  )
                })
            }
          }
        })
      })
    })
  )
}
