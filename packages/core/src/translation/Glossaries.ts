/** Lists and changes the glossary of an organization, and returns its terms for translations. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { Language } from "../schema/Language.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import {
  type GlossaryEntry,
  GlossaryEntryNotFound,
  type GlossaryEntryRow,
  GlossaryEntryTable,
  GlossaryUpdate,
  maxEntries,
  TooManyGlossaryEntries
} from "./GlossaryEntry.ts"
import { makeTranslationPolicy } from "./TranslationPolicy.ts"

const accept = accepting(GlossaryUpdate)

type Failure = OrganizationNotFound | Forbidden | StorageError

export class Glossaries extends Context.Service<
  Glossaries,
  {
    /**
     * Lists the entries of the glossary of an organization.
     *
     * @param params.orderBy Language whose terms sort the entries; entries without one are last. Default: order of
     * creation.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams & { readonly orderBy?: Language }
    ) => Effect.Effect<ListPage<GlossaryEntry>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns an entry of the glossary.
     *
     * @param id Id of the entry.
     * @throws {Forbidden}
     * @throws {GlossaryEntryNotFound} If the glossary has no such entry.
     * @throws {OrganizationNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<GlossaryEntry, Failure | GlossaryEntryNotFound, CurrentActor>
    /**
     * Applies all operations, or none if one fails. Deleting a missing entry succeeds.
     *
     * @throws {Forbidden}
     * @throws {GlossaryEntryNotFound}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {TooManyGlossaryEntries}
     */
    readonly update: (
      organization: OrganizationId,
      input: GlossaryUpdate
    ) => Effect.Effect<void, Failure | InvalidInput | GlossaryEntryNotFound | TooManyGlossaryEntries, CurrentActor>
    /** Returns the terms that have translations in both languages, sorted by the first. */
    readonly terms: (
      organization: OrganizationId,
      from: Language,
      to: Language
    ) => Effect.Effect<ReadonlyArray<readonly [from: string, to: string]>, StorageError>
  }
>()("@lectern/core/translation/Glossaries") {
  static readonly layer = Layer.effect(
    Glossaries,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const organizations = yield* Organizations
      const paging = yield* Paging
      const policy = yield* makeTranslationPolicy
      const publicUrl = yield* PublicUrl
      const entries = storage.repository(GlossaryEntryTable)

      const present = ({ organization, ...row }: GlossaryEntryRow): GlossaryEntry => ({
        object: "glossary-entry",
        ...row,
        urls: { location: `${publicUrl}/v1/orgs/${organization}/translations-glossary/${row.id}` }
      })

      const notFound = (id: string) =>
        new GlossaryEntryNotFound({ message: `There is no entry ${id.slice(0, 50)} in this glossary` })

      return Glossaries.of({
        list: Effect.fn("Glossaries.list")(function* (organization, { orderBy, ...params }) {
          yield* organizations.require(organization, "see this organization")
          const rows = yield* entries.list({ where: { organization } })
          const sorted =
            orderBy === undefined
              ? rows
              : rows.toSorted((a, b) => byTerm(a.translations[orderBy], b.translations[orderBy]))
          const page = yield* paging.inOrder(
            sorted,
            `glossary of ${organization} by ${orderBy ?? ""}`,
            ({ id }) => id,
            params
          )
          return { ...page, items: page.items.map(present) }
        }),

        get: Effect.fn("Glossaries.get")(function* (organization, id) {
          yield* organizations.require(organization, "see this organization")
          const row = yield* entries.get({ id })
          return row?.organization === organization ? present(row) : yield* notFound(id)
        }),

        update: Effect.fn("Glossaries.update")(function* (organization, rawInput) {
          const { operations } = yield* accept(rawInput)
          const now = yield* Timestamps.now
          yield* storage.transaction(
            Effect.gen(function* () {
              yield* policy.requireCreator(organization)
              const before = yield* entries.list({ where: { organization } })
              const entriesById = new Map(before.map((row) => [row.id, row]))
              let last = before.at(-1)?.id ?? ""
              for (const operation of operations) {
                if (operation.type === "insert") {
                  const { translations } = operation
                  last = yield* ids.nextAfter(last)
                  const row = { id: last, organization, translations, createdAt: now, updatedAt: now }
                  yield* entries.insert(row).pipe(cannotConflict)
                  entriesById.set(row.id, row)
                } else if (operation.type === "delete") {
                  if (entriesById.delete(operation.id)) yield* entries.remove({ id: operation.id })
                } else {
                  if (!entriesById.has(operation.id)) return yield* notFound(operation.id)
                  const { id, translations } = operation
                  yield* entries.update({ id }, { translations, updatedAt: now }).pipe(cannotConflict)
                }
              }
              if (entriesById.size > maxEntries) {
                return yield* new TooManyGlossaryEntries({ message: `A glossary has at most ${maxEntries} entries` })
              }
            })
          )
        }),

        terms: Effect.fnUntraced(function* (organization, from, to) {
          const rows = yield* entries.list({ where: { organization } })
          const pairs = rows.flatMap(({ translations: { [from]: term, [to]: meaning } }) =>
            term === undefined || meaning === undefined ? [] : [[term, meaning] as const]
          )
          return pairs.toSorted(([a], [b]) => byTerm(a, b))
        })
      })
    })
  )
}

const byTerm = (a: string | undefined, b: string | undefined): number =>
  a === b ? 0 : a === undefined ? 1 : b === undefined ? -1 : a < b ? -1 : 1
