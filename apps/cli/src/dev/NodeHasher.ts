/** Hashing port on `node:crypto`, several times faster than the default implementation. */
import { createHmac, hash } from "node:crypto"
import { Hasher } from "@lectern/core/storage/Hasher"

export const NodeHasher = Hasher.of({
  sha256: (data) => hash("sha256", data, "base64url"),
  hmac: (secret, data) => createHmac("sha256", secret).update(data).digest("base64url"),
  sha1: (data) => hash("sha1", data, "hex")
})
