/** All that threads compute, by name: each is loaded when it is first asked for. */
import type { Computation } from "./Computation.ts"

type Named = Pick<Computation<never, unknown, never>, "name" | "run">

const all: { readonly [name: string]: () => Promise<Named> } = {
  "parse-file": async () => (await import("../content/import/ParsedFile.ts")).ParseFile,
  "read-spec": async () => (await import("../openapi/ReadSpec.ts")).ReadSpec,
  "write-page": async () => (await import("../content/export/WritePage.ts")).WritePage
}

export const names = Object.keys(all)

/** For a thread: the computation of this name, of what it was sent. */
export const find = (name: string) => all[name]!() as Promise<Computation<unknown, unknown, unknown>>
