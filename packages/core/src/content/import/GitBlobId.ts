/** The id that Git gives these bytes. */
import type { Hasher } from "../../storage/Hasher.ts"

export const of = (hasher: Pick<Hasher["Service"], "sha1">, bytes: Uint8Array): string => {
  const head = new TextEncoder().encode(`blob ${bytes.length}\0`)
  const all = new Uint8Array(head.length + bytes.length)
  all.set(head)
  all.set(bytes, head.length)
  return hasher.sha1(all)
}
