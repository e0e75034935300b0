/** Reads a secret from a file. */
import { Effect } from "effect"
import * as NamedFile from "@lectern/cli/settings/NamedFile"

/** Maximum size of the file, in KiB. */
const maxKibibytes = 64

/** Returns the text of a file without surrounding whitespace. Fails with a reason. */
export const read = (path: string): Effect.Effect<string, string> =>
  Effect.map(NamedFile.read(path, maxKibibytes), ({ bytes }) => bytes.toString("utf8").trim())
