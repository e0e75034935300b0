/**
 * Sources of computed pages of a PDF: the versions of specs as visible to its first requester. The PDF thus has the
 * same versions whenever it is created. Integrations are called while the PDF is created, unless their response is
 * cached.
 */
import { Effect, Schema } from "effect"
import type { Specs, SpecState } from "../computed/ComputedSpecs.ts"
import { OpenApiVersionId } from "../openapi/OpenApiSpec.ts"
import { OpenApiVersionTable } from "../openapi/OpenApiVersion.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"

export const PdfSources = Schema.Struct({
  key: Schema.String,
  /** Versions by spec name, or the reason why a spec has no version. */
  specs: Schema.Record(
    Schema.String,
    Schema.Union([
      Schema.Struct({ state: Schema.Literal("ready"), version: OpenApiVersionId }),
      Schema.Struct({ state: Schema.Literals(["empty", "missing"]) })
    ])
  )
})
export type PdfSources = typeof PdfSources.Type

export const serialize = ({ key, names, stateOf }: Specs): PdfSources => ({
  key,
  specs: Object.fromEntries(
    names.map((name) => {
      const state = stateOf(name)
      return [name, state.state === "ready" ? { state: state.state, version: state.version.id } : state]
    })
  )
})

/** Restores the specs. A version that was deleted since counts as `missing`. */
export const restored = Effect.fnUntraced(function* ({
  key,
  specs
}: PdfSources): Effect.fn.Return<Specs, StorageError, Storage> {
  const versions = (yield* Storage).repository(OpenApiVersionTable)
  const names = Object.entries(specs)
  const ids = names.flatMap(([, spec]) => (spec.state === "ready" ? [{ id: spec.version }] : []))
  const rows = ids.length === 0 ? [] : yield* versions.getMany(ids)
  const byId = new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.id, row] as const])))
  const states = new Map(
    names.map(([name, spec]): [string, SpecState] => {
      if (spec.state !== "ready") return [name, spec]
      const version = byId.get(spec.version)
      return [name, version === undefined ? { state: "missing" } : { state: "ready", version }]
    })
  )
  return { key, names: [...states.keys()], stateOf: (spec) => states.get(spec) ?? { state: "missing" } } satisfies Specs
})
