/** Hashing port on `node:crypto`. Same hashes as the default implementation, several times faster. */
import { createHmac, hash } from "node:crypto"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Layer } from "effect"

export const NodeHasher = {
  layer: Layer.succeed(
    Hasher,
    Hasher.of({
      sha256: (data) => hash("sha256", data, "base64url"),
      hmac: (secret, data) => createHmac("sha256", secret).update(data).digest("base64url"),
      sha1: (data) => hash("sha1", data, "hex")
    })
  )
}
