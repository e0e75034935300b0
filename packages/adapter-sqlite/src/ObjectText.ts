/**
 * Stored form of an object's text. Texts from 64 KiB are compressed with zstd, in a thread of Node's pool, so that a
 * commit writes a tenth or less. Shorter texts are stored uncompressed, since reading is faster.
 *
 * Inside a transaction the compression is synchronous.
 */
import { promisify } from "node:util"
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib"
import { StorageError } from "@lectern/core/storage/Storage"
import { Effect } from "effect"

/** Text: not compressed. Buffer: compressed as one zstd frame. */
export type ObjectValue = string | Buffer

/** Length from which a text is compressed (characters). */
const largeText = 64 * 1024

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const failure = (cause: unknown) =>
  new StorageError({ reason: "damaged", message: "An object can't be read: its bytes are not as they were", cause })

export const isLarge = (text: string): boolean => text.length >= largeText

export const pack = (text: string): Effect.Effect<ObjectValue> =>
  isLarge(text) ? Effect.promise(() => compress(text, options)) : Effect.succeed(text)

export const packSync = (text: string): ObjectValue => (isLarge(text) ? zstdCompressSync(text, options) : text)

export const unpack = (frame: Buffer): Effect.Effect<string, StorageError> =>
  Effect.map(Effect.tryPromise({ try: () => decompress(frame), catch: failure }), (bytes) => bytes.toString("utf8"))

/** Decompresses a zstd frame. Throws if the frame is damaged. */
export const unpackSync = (frame: Buffer): string => {
  try {
    return zstdDecompressSync(frame).toString("utf8")
  } catch (cause) {
    throw failure(cause)
  }
}
