/** Returns the Git object id of a blob with these bytes. */
import { concatenated } from "@lectern/core/schema/Bytes"
import type { Hasher } from "@lectern/core/storage/Hasher"

export const gitBlobId = (hasher: Pick<Hasher["Service"], "sha1">, bytes: Uint8Array): string => {
  const head = new TextEncoder().encode(`blob ${bytes.length}\0`)
  return hasher.sha1(concatenated([head, bytes]))
}
