/** Icons and previews as they are sent, in Base64: pictures that every browser shows and that run nothing. */
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import * as FileType from "../content/files/FileType.ts"
import { InvalidIntegration } from "./Integration.ts"

const shown = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])

export interface ReadImage {
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** The picture in a text of Base64; `path` is where it stands in the input. */
export const read = (text: string, path: string, maxBytes: number): Effect.Effect<ReadImage, InvalidIntegration> => {
  const invalid = (message: string) => Effect.fail(new InvalidIntegration({ issues: [{ path, message }] }))
  const decoded = Base64.decode(text.replace(/[\r\n]/g, ""))
  if (Result.isFailure(decoded)) return invalid("Expected Base64")
  const bytes = decoded.success
  if (bytes.length > maxBytes) return invalid(`Expected at most ${maxBytes / 1024} KiB`)
  const { contentType } = FileType.detect(bytes, "")
  return shown.has(contentType)
    ? Effect.succeed({ bytes, contentType })
    : invalid("Expected a picture: PNG, JPEG, GIF or WebP")
}
