/** What an integration's publisher gave it to keep: sealed in its row, and told to its program alone. */
import { Context, Effect, Layer } from "effect"
import { Secrets } from "../identity/Secrets.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Sealed } from "../schema/Sealed.ts"
import { type IntegrationKey, type IntegrationRow, IntegrationTable } from "./Integration.ts"

type Named = { readonly [name: string]: string }

export class IntegrationSecrets extends Context.Service<
  IntegrationSecrets,
  {
    readonly seal: (key: IntegrationKey, secrets: Named) => Effect.Effect<Sealed<Named>>
    readonly of: (integration: Pick<IntegrationRow, "key" | "secrets">) => Effect.Effect<Named, StorageError>
  }
>()("@lectern/core/integration/IntegrationSecrets") {
  static readonly layer = Layer.effect(
    IntegrationSecrets,
    Effect.gen(function* () {
      const secrets = yield* Secrets
      return IntegrationSecrets.of({
        seal: (key, named) => secrets.seal(IntegrationTable, { key }, "secrets", named),
        of: (integration) => Effect.map(secrets.open(IntegrationTable, integration, "secrets"), (named) => named ?? {})
      })
    })
  )
}
