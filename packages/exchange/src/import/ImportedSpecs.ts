/**
 * Checks the specs that blocks of an import reference. Specs that the organization lacks are reported, and registered
 * by their URLs if the import requests it. A job fetches a registered spec through the guarded fetch.
 *
 * Limits: one import registers up to 50 specs.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "@lectern/core/access/Actor"
import { OpenApiSpecTable } from "@lectern/core/openapi/OpenApiSpec"
import { OpenApiSpecs } from "@lectern/core/openapi/OpenApiSpecs"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import type { ImportProblem } from "./Folder.ts"
import type { MissingSpec } from "@lectern/core/exchange/ImportReport"

const maxRegistered = 50

interface CheckedSpecs {
  readonly specs: ReadonlyArray<MissingSpec>
  /** One problem for each spec that could not be registered. */
  readonly problems: ReadonlyArray<ImportProblem>
}

export class ImportedSpecs extends Context.Service<
  ImportedSpecs,
  {
    /** Returns the specs that the space's organization lacks. `registers`: true to register those with a URL. */
    readonly check: (
      space: SpaceId,
      named: ReadonlyArray<MissingSpec>,
      registersSpecs: boolean
    ) => Effect.Effect<CheckedSpecs, StorageError, CurrentActor>
  }
>()("@lectern/exchange/import/ImportedSpecs") {
  static readonly layer = Layer.effect(
    ImportedSpecs,
    Effect.gen(function* () {
      const storage = yield* Storage
      const specs = storage.repository(OpenApiSpecTable)
      const spaces = storage.repository(SpaceTable)
      const openApiSpecs = yield* OpenApiSpecs

      return ImportedSpecs.of({
        check: Effect.fn("ImportedSpecs.check")(function* (space, named, registers) {
          const owner = named.length === 0 ? undefined : yield* spaces.get({ id: space })
          if (owner === undefined) return { specs: [], problems: [] }
          const { organization } = owner
          const names = named.map(({ spec }) => spec)
          const rows = yield* specs.list({ where: [{ organization, slug: { in: names } }, { id: { in: names } }] })
          const registered = new Set(
            rows.filter((row) => row.organization === organization).flatMap(({ id, slug }) => [id as string, slug])
          )
          const problems: Array<ImportProblem> = []
          const missing: Array<MissingSpec> = []
          let remaining = registers ? maxRegistered : 0
          for (const referencedSpec of named) {
            const { spec, url } = referencedSpec
            if (registered.has(spec)) continue
            if (url === undefined || remaining === 0) {
              missing.push(referencedSpec)
              continue
            }
            remaining--
            const created = yield* Effect.result(openApiSpecs.create(organization, { slug: spec, source: { url } }))
            if (created._tag === "Success") missing.push({ ...referencedSpec, registered: true })
            else {
              if (created.failure._tag === "StorageError") return yield* created.failure
              problems.push({ path: spec, message: `The spec was not registered: ${created.failure.message}` })
              missing.push(referencedSpec)
            }
          }
          return { specs: missing, problems }
        })
      })
    })
  )
}
