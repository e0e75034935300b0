/** What an integration's publisher gave it to keep: sealed in its row, and told to its program alone. */
import { Context, Effect, Layer } from "effect"
import { Secrets } from "../identity/Secrets.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { IntegrationKey, IntegrationRow } from "./Integration.ts"

type Named = { readonly [name: string]: string }

export class IntegrationSecrets extends Context.Service<
  IntegrationSecrets,
  {
    readonly seal: (key: IntegrationKey, secrets: Named) => Effect.Effect<string>
    readonly of: (integration: Pick<IntegrationRow, "key" | "secrets">) => Effect.Effect<Named, StorageError>
  }
>()("@lectern/core/integration/IntegrationSecrets") {
  static readonly layer = Layer.effect(
    IntegrationSecrets,
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const placeOf = (key: IntegrationKey) => ["integration", key, "secrets"] as const

      return IntegrationSecrets.of({
        seal: (key, named) => secrets.seal(placeOf(key), JSON.stringify(named)),
        of: ({ key, secrets: sealed }) =>
          sealed === undefined
            ? Effect.succeed({})
            : Effect.map(secrets.open(placeOf(key), sealed), (text) => JSON.parse(text) as Named)
      })
    })
  )
}
