import { assert, it } from "@effect/vitest"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Effect } from "effect"

const texts = ["", "a", "😀 é \u0000", "x".repeat(10_000)]

it.effect("hashes as the pure hasher of the core does", () =>
  Effect.gen(function* () {
    const pure = yield* Effect.provide(Hasher, Hasher.layer)
    const node = yield* Effect.provide(Hasher, NodeHasher.layer)
    for (const text of texts) {
      const bytes = new TextEncoder().encode(text)
      assert.strictEqual(node.sha256(text), pure.sha256(text))
      assert.strictEqual(node.sha256(bytes), pure.sha256(text))
      assert.strictEqual(node.sha1(bytes), pure.sha1(bytes))
      for (const secret of texts) assert.strictEqual(node.hmac(secret, text), pure.hmac(secret, text))
    }
    assert.strictEqual(node.sha256(""), "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU")
  })
)
