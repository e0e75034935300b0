/**
 * Files of the fonts that site settings name. A build stores them in a folder, and an adapter reads them on request.
 * Without these files, sites use the fonts of the reader's system.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { FontFace } from "../styling/Fonts.ts"

export interface FontLibrary {
  /** Font faces by the font name in settings. Each file name contains the hash of the content. */
  readonly faces: Readonly<Record<string, ReadonlyArray<FontFace>>>
  /** Returns the content of a file by its name. */
  readonly read: (file: string) => Effect.Effect<Uint8Array<ArrayBuffer>>
}

const path = /\/~lectern\/([\w-]+\.[\da-f]{16}\.woff2)$/
const year = 365 * 24 * 60 * 60

const headers = {
  "cache-control": `public, max-age=${year}, immutable`,
  "x-content-type-options": "nosniff",
  // Any origin may load the files, since pages behind a proxy have a different origin than their files.
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin"
}

export const make = ({ faces, read }: FontLibrary) => {
  const fileNames = new Set(Object.values(faces).flatMap((familyFaces) => familyFaces.map(({ file }) => file)))
  return {
    /** Returns the response for the path of a file; undefined for other paths. */
    responseFor: (pathname: string) => {
      const file = path.exec(pathname)?.[1]
      return file === undefined || !fileNames.has(file)
        ? undefined
        : Effect.map(read(file), (bytes) =>
            HttpServerResponse.uint8Array(bytes, { contentType: "font/woff2", headers })
          )
    }
  }
}
