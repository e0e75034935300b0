/**
 * The text of an object as its row holds it. From 64 KiB on it is compressed (zstd, in a thread of Node's own),
 * so that a commit, which holds up everybody, writes a tenth of it or less; below it stays text, which is read
 * without another step.
 *
 * Inside a transaction, which waits for nothing, it is compressed where it stands.
 */
import { promisify } from "node:util"
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib"
import { StorageError } from "@lectern/core/storage/Storage"
import { Effect } from "effect"

/** A text that is stored as it is, or a frame of zstd. */
export type ObjectValue = string | Buffer

/** Texts from this length on are compressed (characters). */
const largeText = 64 * 1024

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const failed = (cause: unknown) =>
  new StorageError({ reason: "damaged", message: "An object can't be read: its bytes are not as they were", cause })

export const isLarge = (text: string): boolean => text.length >= largeText

export const pack = (text: string): Effect.Effect<ObjectValue> =>
  isLarge(text) ? Effect.promise(() => compress(text, options)) : Effect.succeed(text)

export const packNow = (text: string): ObjectValue => (isLarge(text) ? zstdCompressSync(text, options) : text)

export const unpack = (frame: Buffer): Effect.Effect<string, StorageError> =>
  Effect.map(Effect.tryPromise({ try: () => decompress(frame), catch: failed }), (bytes) => bytes.toString("utf8"))

/** Throws where the frame is damaged. */
export const unpackNow = (frame: Buffer): string => {
  try {
    return zstdDecompressSync(frame).toString("utf8")
  } catch (cause) {
    throw failed(cause)
  }
}
