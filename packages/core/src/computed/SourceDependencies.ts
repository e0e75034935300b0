/**
 * Current values of the dependencies of content sources: the revision of a space, the last version of a spec, or the
 * result of a translation. Null for a dependency outside of the space's organization.
 */
import { Effect } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import { type SpaceId, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { type TranslationId, TranslationTable } from "../translation/Translation.ts"
import type { DependencyRef, IntegrationSource } from "./ComputedSource.ts"
import { ComputedSpecs } from "./ComputedSpecs.ts"

type Value = { readonly [name: string]: string }

/** Values by the names of a source's dependencies. */
export type DependencyValues = {
  readonly [name: string]: { readonly ref: DependencyRef; readonly value: Value | null }
}

export const makeSourceDependencies = Effect.gen(function* () {
  const storage = yield* Storage
  const specs = yield* ComputedSpecs
  const spaces = storage.repository(SpaceTable)
  const translations = storage.repository(TranslationTable)

  const valueOf = Effect.fnUntraced(function* (organization: OrganizationId, refs: ReadonlyArray<DependencyRef>) {
    const distinctNames = (nameOf: (ref: DependencyRef) => string | undefined) => [
      ...new Set(refs.flatMap((ref) => nameOf(ref) ?? []))
    ]
    const ids = distinctNames((ref) => (ref.kind === "space" ? ref.space : undefined))
    const slugs = distinctNames((ref) => (ref.kind === "openapi" ? ref.spec : undefined))
    const runs = distinctNames((ref) => (ref.kind === "translation" ? ref.translation : undefined))
    const [spaceRows, specRows, translationRows] = yield* Effect.all([
      spaces.getMany(ids.map((id) => ({ id: id as SpaceId }))),
      specs.findRows(organization, slugs),
      translations.getMany(runs.map((id) => ({ id: id as TranslationId })))
    ])
    return (ref: DependencyRef): Value | null => {
      switch (ref.kind) {
        case "space": {
          const row = spaceRows[ids.indexOf(ref.space)]
          const isAvailable = row?.organization === organization && row.deletedAt === undefined && row.removing !== true
          return isAvailable ? { object: "space", id: row.id, revision: row.revision } : null
        }
        case "openapi": {
          const row = specRows.get(ref.spec)
          if (row === undefined) return null
          const { id, slug, lastVersion } = row
          return { object: "openapi-spec", id, slug, ...(lastVersion !== undefined && { lastVersion }) }
        }
        case "translation": {
          const row = translationRows[runs.indexOf(ref.translation)]
          return row?.organization === organization && row.result !== undefined ? row.result : null
        }
      }
    }
  })

  return {
    /** Returns the values for each source. */
    values: Effect.fnUntraced(function* (organization: OrganizationId, sources: ReadonlyArray<IntegrationSource>) {
      const all = sources.flatMap(({ dependencies = {} }) => Object.values(dependencies).map(({ ref }) => ref))
      const value = yield* valueOf(organization, all)
      return sources.map(({ dependencies = {} }) =>
        Object.fromEntries(Object.entries(dependencies).map(([name, { ref }]) => [name, { ref, value: value(ref) }]))
      )
    })
  }
})
