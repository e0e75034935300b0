/**
 * Files of the fonts that settings of sites name. A build puts them in a folder, and an adapter reads them from there when
 * they are asked for. Without them a site is set in the fonts of the reader's system.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { FontFace } from "../look/Fonts.ts"

export interface FontLibrary {
  /** By the names that settings know fonts by; each file has the hash of its content in its name. */
  readonly faces: Readonly<Record<string, ReadonlyArray<FontFace>>>
  /** Content of a file by its name. */
  readonly read: (file: string) => Effect.Effect<Uint8Array<ArrayBuffer>>
}

const path = /\/~lectern\/([\w-]+\.[\da-f]{16}\.woff2)$/
const year = 365 * 24 * 60 * 60

const headers = {
  "cache-control": `public, max-age=${year}, immutable`,
  "x-content-type-options": "nosniff",
  // A page of a site is elsewhere than its files where a proxy is between.
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin"
}

export const make = ({ faces, read }: FontLibrary) => {
  const all = new Set(Object.values(faces).flatMap((some) => some.map(({ file }) => file)))
  return {
    /** The file that a path names; undefined where it names none. */
    at: (pathname: string) => {
      const file = path.exec(pathname)?.[1]
      return file === undefined || !all.has(file)
        ? undefined
        : Effect.map(read(file), (bytes) =>
            HttpServerResponse.uint8Array(bytes, { contentType: "font/woff2", headers })
          )
    }
  }
}
