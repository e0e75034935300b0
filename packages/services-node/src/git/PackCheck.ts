/**
 * Checks a pack of objects before other code reads it. Each object must unpack to the size in its header, and all sizes
 * must be within the limits. A harmful pack is thus refused before it fills the memory. The result of a delta counts
 * with its stated size, which a reader allocates.
 */
import { inflateSync } from "node:zlib"
import { GitProblem } from "./GitProblem.ts"

export interface PackLimits {
  readonly maxObjects: number
  /** Maximum unpacked size of an object, in bytes. */
  readonly maxObjectBytes: number
  /** Maximum unpacked size of all objects, in bytes. */
  readonly maxUnpackedBytes: number
}

const offsetDelta = 6
const referenceDelta = 7

export const checkPack = (pack: Uint8Array, limits: PackLimits): void => {
  const damagedPack = () => new GitProblem("failed", "The repository sent a damaged pack")
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength)
  if (pack.length < 32 || view.getUint32(0) !== 0x5041434b || view.getUint32(4) !== 2) throw damagedPack()
  const count = view.getUint32(8)
  if (count > limits.maxObjects) {
    throw new GitProblem("too-large", `The repository has more than ${limits.maxObjects} objects on the branch`)
  }
  const end = pack.length - 20
  let offset = 12
  let unpacked = 0

  const take = (): number => {
    if (offset >= end) throw damagedPack()
    return pack[offset++]!
  }
  const weigh = (size: number): void => {
    if (size > limits.maxObjectBytes) {
      throw new GitProblem("too-large", `The repository has a file of more than ${mebibytes(limits.maxObjectBytes)}`)
    }
    unpacked += size
    if (unpacked > limits.maxUnpackedBytes) {
      throw new GitProblem("too-large", `The unpacked branch exceeds ${mebibytes(limits.maxUnpackedBytes)}`)
    }
  }

  for (let n = 0; n < count; n++) {
    let byte = take()
    const type = (byte >> 4) & 7
    let size = byte & 15
    for (let factor = 16; byte & 0x80; factor *= 128) {
      byte = take()
      size += (byte & 0x7f) * factor
    }
    if (type === offsetDelta) while (take() & 0x80);
    else if (type === referenceDelta) offset += 20
    else if (type < 1 || type > 4) throw damagedPack()
    weigh(size)
    let object: Buffer
    try {
      const { buffer, engine } = inflateSync(pack.subarray(offset, end), {
        info: true,
        maxOutputLength: size + 1
      }) as never as {
        readonly buffer: Buffer
        readonly engine: { readonly bytesWritten: number }
      }
      object = buffer
      offset += engine.bytesWritten
    } catch {
      throw damagedPack()
    }
    if (object.length !== size) throw damagedPack()
    if (type === offsetDelta || type === referenceDelta) weigh(resultSize(object) ?? Number.POSITIVE_INFINITY)
  }
}

const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`

/**
 * Returns the stated size of a delta's result: the second of the two numbers at its start. Undefined if it is invalid.
 */
const resultSize = (delta: Uint8Array): number | undefined => {
  let offset = 0
  let size = 0
  for (let part = 0; part < 2; part++) {
    size = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = delta[offset++]
      if (byte === undefined || factor > Number.MAX_SAFE_INTEGER / 128) return undefined
      size += (byte & 0x7f) * factor
      if ((byte & 0x80) === 0) break
    }
  }
  return size
}
