/** Compresses response bodies in Node's thread pool, so that the event loop stays free. */
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { Compress } from "@lectern/http/server/Compression"

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Brotli quality of responses: about as fast as gzip, with a smaller result. */
const quality = 4
/** Brotli quality of assets, which are compressed once. */
const bestQuality = 11

/** Returns the smallest window that holds a body, since each compression allocates its window. */
const windowOf = (size: number): number =>
  Math.min(constants.BROTLI_DEFAULT_WINDOW, Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(size + 16))))

export const compress: Compress = {
  br: (bytes, { isImmutable }) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isImmutable ? bestQuality : quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_LGWIN]: windowOf(bytes.length)
      }
    }),
  gzip: (bytes, { isImmutable }) => zip(bytes, isImmutable ? { level: constants.Z_BEST_COMPRESSION } : {})
}
