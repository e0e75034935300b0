/**
 * Icons and previews of integrations, received as Base64: image formats that all browsers display and that contain no
 * scripts.
 */
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import * as FileType from "../content/files/FileType.ts"
import { InvalidIntegration } from "./Integration.ts"

const allowedTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])

export interface DecodedImage {
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** Decodes an image from Base64. `path` is its position in the input, used in errors. */
export const decode = (
  text: string,
  path: string,
  maxBytes: number
): Effect.Effect<DecodedImage, InvalidIntegration> => {
  const invalidImage = (message: string) => Effect.fail(new InvalidIntegration({ issues: [{ path, message }] }))
  const decodedBytes = Base64.decode(text.replace(/[\r\n]/g, ""))
  if (Result.isFailure(decodedBytes)) return invalidImage("Expected Base64")
  const bytes = decodedBytes.success
  if (bytes.length > maxBytes) return invalidImage(`Expected at most ${maxBytes / 1024} KiB`)
  const { contentType } = FileType.detect(bytes, "")
  return allowedTypes.has(contentType)
    ? Effect.succeed({ bytes, contentType })
    : invalidImage("Expected a picture: PNG, JPEG, GIF or WebP")
}
