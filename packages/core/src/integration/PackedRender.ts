/**
 * Unpacks a render request from a GET: JSON compressed by LZ-string.
 *
 * Limits: 8 KiB packed, 256 KiB unpacked.
 */
import { Result } from "effect"
import LZString from "lz-string"
import { InvalidInput } from "../schema/Input.ts"

export const maxPacked = 8 * 1024
export const maxUnpacked = 256 * 1024

const inputPath = "query.request"

const invalidRender = (message: string) => new InvalidInput({ issues: [{ path: inputPath, message }] })

/** Returns the error of an unpacked request with paths relative to the query. */
export const withQueryPath = ({ issues }: InvalidInput): InvalidInput =>
  new InvalidInput({
    issues: issues.map(({ path, message }) => ({ path: path === "" ? inputPath : `${inputPath}.${path}`, message }))
  })

/** Unpacks a request from either alphabet of LZ-string, with the replacements that URLs make. */
export const unpack = (packed: string): Result.Result<unknown, InvalidInput> => {
  if (packed.length > maxPacked) return Result.fail(invalidRender("Expected at most 8 KiB"))
  const text = LZString.decompressFromBase64(packed.replaceAll(" ", "+").replaceAll("-", "/").replaceAll("$", "="))
  if (typeof text !== "string" || text === "")
    return Result.fail(invalidRender("Expected JSON compressed by LZ-string"))
  if (text.length > maxUnpacked) return Result.fail(invalidRender("Expected at most 256 KiB after decompression"))
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail(invalidRender("Expected JSON after decompression"))
  }
}
