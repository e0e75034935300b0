/** Compresses answers on the threads of Node, so that none holds up others. */
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { Compress } from "@lectern/http/server/Compression"

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** About as fast as gzip, and smaller. */
const quality = 4
/** As small as it gets, once for each file that pages load. */
const best = 11

/** No larger a window than the answer fills: it is memory that is set aside for each. */
const windowOf = (size: number): number =>
  Math.min(constants.BROTLI_DEFAULT_WINDOW, Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(size + 16))))

export const compress: Compress = {
  br: (bytes, { isImmutable }) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isImmutable ? best : quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_LGWIN]: windowOf(bytes.length)
      }
    }),
  gzip: (bytes, { isImmutable }) => zip(bytes, isImmutable ? { level: constants.Z_BEST_COMPRESSION } : {})
}
