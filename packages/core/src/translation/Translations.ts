/** Lists, creates, changes, runs and deletes translations. A job executes runs (see `TranslationRun`). */
import { Context, Effect, Result, Layer } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { type CollectionId, InvalidPosition } from "../collection/Collection.ts"
import { makeCollectionPolicy } from "../collection/CollectionPolicy.ts"
import * as RequestDocument from "../content/documents/RequestDocument.ts"
import { isEmpty, isSmall } from "../content/documents/StoredDocument.ts"
import { Objects } from "../content/store/Objects.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import * as Job from "../job/Job.ts"
import { Jobs } from "../job/Jobs.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { SpaceTable } from "../space/Space.ts"
import { readable } from "../space/ReadableSpaces.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { cannotConflict, hasChanges, Storage, type StorageError } from "../storage/Storage.ts"
import type { TooCostly } from "../thread/Threads.ts"
import {
  InvalidTranslation,
  maxInstructions,
  type Translation,
  TranslationCreate,
  translationEventFields,
  TranslationId,
  type TranslationNotFound,
  TranslationPut,
  type TranslationRow,
  TranslationTable
} from "./Translation.ts"
import { levelOnSource, presentTranslations, makeTranslationPolicy } from "./TranslationPolicy.ts"
import { isUsable } from "./TranslationResults.ts"
import { ForgetTranslation } from "./TranslationRemoval.ts"
import { RunTranslation } from "./TranslationRun.ts"
import { next } from "./TranslationState.ts"

const acceptCreate = accepting(TranslationCreate)
const acceptPut = accepting(TranslationPut)

type Failure = OrganizationNotFound | Forbidden | StorageError

export class Translations extends Context.Service<
  Translations,
  {
    /**
     * Lists translations whose source the actor may read, in order of creation.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<Translation>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns a translation of an organization.
     *
     * @param id Id of the translation.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     * @throws {TranslationNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<Translation, Failure | TranslationNotFound, CurrentActor>
    /**
     * Creates a translation without running it.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidTranslation}
     * @throws {OrganizationNotFound}
     * @throws {TooCostly}
     * @example
     * ```ts
     * const translation = await lectern.translations.create(organization.id, {
     *   source: { space: space.id, language: "en" },
     *   language: "de"
     * })
     * await lectern.translations.run(organization.id, translation.id)
     * ```
     */
    readonly create: (
      organization: OrganizationId,
      input: TranslationCreate
    ) => Effect.Effect<Translation, Failure | InvalidInput | TooCostly | InvalidTranslation, CurrentActor>
    /**
     * Changes the instructions; an empty document removes them.
     *
     * @param id Id of the translation.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidTranslation}
     * @throws {OrganizationNotFound}
     * @throws {TooCostly}
     * @throws {TranslationNotFound}
     */
    readonly put: (
      organization: OrganizationId,
      id: string,
      input: TranslationPut
    ) => Effect.Effect<
      Translation,
      Failure | InvalidInput | TooCostly | InvalidTranslation | TranslationNotFound,
      CurrentActor
    >
    /**
     * Deletes a translation. The translated space stays.
     *
     * @param id Id of the translation.
     * @returns True if the translation existed.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly remove: (organization: OrganizationId, id: string) => Effect.Effect<boolean, Failure, CurrentActor>
    /**
     * Starts a run in the background. Does nothing if one is in progress.
     *
     * @param id Id of the translation.
     * @throws {Forbidden}
     * @throws {InvalidPosition}
     * @throws {OrganizationNotFound}
     * @throws {TranslationNotFound}
     */
    readonly run: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<void, Failure | TranslationNotFound | InvalidPosition, CurrentActor>
  }
>()("@lectern/core/translation/Translations") {
  static readonly layer = Layer.effect(
    Translations,
    Effect.gen(function* () {
      const storage = yield* Storage
      const objects = yield* Objects
      const ids = yield* Ids
      const jobs = yield* Jobs
      const events = yield* Events
      const paging = yield* Paging
      const organizations = yield* Organizations
      const collectionPolicy = yield* makeCollectionPolicy
      const policy = yield* makeTranslationPolicy
      const present = yield* presentTranslations
      const translations = storage.repository(TranslationTable)
      const spaces = storage.repository(SpaceTable)

      const presentTranslation = (translation: Parameters<typeof present>[0][number]) =>
        Effect.map(present([translation]), ([translation]) => translation!)

      /** Stores the instructions and returns their hash; undefined for none. */
      const storeInstructions = Effect.fnUntraced(function* (instructions: unknown) {
        const invalid = (issues: InvalidTranslation["issues"]) => new InvalidTranslation({ issues })
        const document = yield* RequestDocument.read(instructions, "body.instructions", {
          threads: objects.threads,
          nextKey: ids.key
        }).pipe(Effect.catchTag("InvalidChange", ({ issues }) => invalid(issues)))
        if (isEmpty(document)) return undefined
        if (!isSmall(document) || JSON.stringify(document).length > maxInstructions) {
          return yield* invalid([
            { path: "body.instructions", message: "Expected at most 64 KiB, counted as a document" }
          ])
        }
        const draft = objects.draft()
        const hash = draft.write(document)
        yield* draft.flush
        return hash
      })

      const isWorking = ({ job }: TranslationRow) =>
        job === undefined
          ? Effect.succeed(false)
          : Effect.map(jobs.get(Job.JobId.make(job)), (jobRow) => jobRow !== undefined && Job.isUnfinished(jobRow))

      return Translations.of({
        list: Effect.fn("Translations.list")(function* (organization, params) {
          const { member } = yield* organizations.require(organization, "see this organization")
          const readableSpaces = member.admin ? [] : yield* spaces.list({ where: readable(organization, member) })
          const readableSources = [...(member.role === null ? [] : [null]), ...readableSpaces.map(({ id }) => id)]
          const page = yield* paging.rows(
            TranslationTable,
            `translations of ${organization}`,
            { where: { organization, ...(!member.admin && { space: { in: readableSources } }) } },
            params
          )
          const sources = new Map(
            (yield* spaces.getMany(page.items.flatMap(({ source }) => (source ? [{ id: source.space }] : [])))).map(
              (space) => [space?.id, space]
            )
          )
          const visible = page.items.flatMap((translation) => {
            const level = levelOnSource(translation, member, sources.get(translation.source?.space))
            return level === undefined ? [] : [{ translation, member, level }]
          })
          return { ...page, items: yield* present(visible) }
        }),

        get: Effect.fn("Translations.get")(function* (organization, id) {
          return yield* presentTranslation(yield* policy.require(organization, id, "see this translation"))
        }),

        create: Effect.fn("Translations.create")(function* (organization, rawInput) {
          yield* policy.requireCreator(organization)
          const { source: sourceInput, language, instructions } = yield* acceptCreate(rawInput)
          const invalid = (path: string, message: string) => new InvalidTranslation({ issues: [{ path, message }] })
          const instructionsHash = instructions === undefined ? undefined : yield* storeInstructions(instructions)
          const now = yield* Timestamps.now
          return yield* storage.transaction(
            Effect.gen(function* () {
              const member = yield* policy.requireCreator(organization)
              const source = sourceInput && (yield* policy.source(organization, member, sourceInput.space))
              if (sourceInput !== undefined && source === undefined) {
                return yield* invalid("body.source.space", "There is no such space in this organization")
              }
              const from = sourceInput?.language ?? source?.language
              if (from === language) {
                return yield* invalid("body.language", "Expected another language than the source's")
              }
              const translation: TranslationRow = {
                id: TranslationId.make(yield* ids.next),
                organization,
                ...(source !== undefined && {
                  source: { space: source.id, ...(from !== undefined && { language: from }) }
                }),
                language,
                ...(instructionsHash !== undefined && { instructions: instructionsHash }),
                status: "pending",
                untranslated: 0,
                stats: {
                  runs: 0,
                  totalWords: 0,
                  totalPages: 0,
                  totalDuration: 0,
                  latestRunDuration: 0,
                  latestPages: 0,
                  latestWords: 0
                },
                createdAt: now,
                updatedAt: now
              }
              yield* translations.insert(translation).pipe(cannotConflict)
              yield* events.emit({ type: "translation_created", ...translationEventFields(translation) })
              return yield* presentTranslation({ translation, member, level: "edit" })
            })
          )
        }),

        put: Effect.fn("Translations.put")(function* (organization, id, rawInput) {
          yield* policy.require(organization, id, "change this translation")
          const { instructions } = yield* acceptPut(rawInput)
          const instructionsHash = instructions === undefined ? undefined : yield* storeInstructions(instructions)
          const now = yield* Timestamps.now
          return yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* policy.require(organization, id, "change this translation")
              if (
                instructions === undefined ||
                !hasChanges(authorized.translation, { instructions: instructionsHash })
              ) {
                return yield* presentTranslation(authorized)
              }
              yield* translations.update(
                { id: authorized.translation.id },
                { instructions: instructionsHash, updatedAt: now }
              )
              yield* events.emit({ type: "translation_updated", ...translationEventFields(authorized.translation) })
              return yield* presentTranslation({
                ...authorized,
                translation: (yield* translations.get({ id: authorized.translation.id }))!
              })
            })
          )
        }),

        remove: Effect.fn("Translations.remove")(function* (organization, id) {
          return yield* storage
            .transaction(
              Effect.gen(function* () {
                const { translation } = yield* policy.require(organization, id, "delete this translation")
                yield* translations.remove({ id: translation.id })
                yield* jobs.enqueue(ForgetTranslation, { translation: translation.id })
                yield* events.emit({ type: "translation_deleted", ...translationEventFields(translation) })
                return true
              })
            )
            .pipe(Effect.catchTag("TranslationNotFound", () => Effect.succeed(false)))
        }),

        run: Effect.fn("Translations.run")(function* (organization, id) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const { translation, source } = yield* policy.require(organization, id, "run this translation")
              const now = yield* Timestamps.now
              const working = yield* isWorking(translation)
              if (translation.status === "running" && working) return
              const { result } = translation
              const space = result && (yield* spaces.get({ id: result.space }))
              // The first run creates a space next to the source.
              if (source !== undefined && !isUsable(translation, space)) {
                yield* collectionPolicy.requireTarget(organization, (source.parent as CollectionId | undefined) ?? null)
              }
              const job = yield* jobs.enqueue(RunTranslation, { translation: translation.id }, { key: translation.id })
              const event = { type: "request", run: yield* ids.next, job, working } as const
              const patch = Result.getOrThrow(next(translation, event, now))
              const startedBy = userOf(yield* CurrentActor) ?? undefined
              yield* translations.update({ id: translation.id }, { ...patch, startedBy })
            })
          )
        })
      })
    })
  )
}
