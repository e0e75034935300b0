/**
 * Secret of the instance, which signs cursors and URLs. Created when a store is first opened, shared by all processes
 * on the data, stored encrypted. Data of another format is rejected.
 */
import { Context, Effect, Layer } from "effect"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { Hasher } from "../storage/Hasher.ts"
import { dataFormat, otherFormat } from "./DataFormat.ts"
import { Ids } from "./Ids.ts"
import { InstanceTable } from "./InstanceRow.ts"
import { Secrets } from "./Secrets.ts"

export class Instance extends Context.Service<
  Instance,
  {
    /** Returns a signature of 43 characters for a purpose and a text. Only this instance can create it. */
    readonly sign: (purpose: string, text: string) => string
  }
>()("@lectern/core/identity/Instance") {
  static readonly layer = Layer.effect(
    Instance,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const hasher = yield* Hasher
      const secrets = yield* Secrets
      const instances = storage.repository(InstanceTable)
      const key = { id: "instance" } as const
      const secret = yield* storage.transaction(
        Effect.gen(function* () {
          const instanceRow = yield* instances.get(key)
          if (instanceRow !== undefined) {
            const { format = 1 } = instanceRow
            if (format !== dataFormat) return yield* otherFormat(format)
            return yield* secrets.open(InstanceTable, instanceRow, "secret")
          }
          const newSecret = yield* ids.secret
          const sealed = yield* secrets.seal(InstanceTable, key, "secret", newSecret)
          yield* instances.insert({ ...key, secret: sealed, format: dataFormat }).pipe(cannotConflict)
          return newSecret
        })
      )
      return Instance.of({ sign: (purpose, text) => hasher.hmac(secret, `${purpose}\n${text}`) })
    })
  )
}
