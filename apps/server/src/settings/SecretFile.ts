/** A file that holds a secret. */
import { Effect } from "effect"
import * as NamedFile from "./NamedFile.ts"

/** Far more than a secret has (KiB). */
const most = 64

/** Its text, or why there is none. */
export const read = (path: string): Effect.Effect<string, string> =>
  Effect.map(NamedFile.read(path, most), ({ bytes }) => bytes.toString("utf8").trim())
