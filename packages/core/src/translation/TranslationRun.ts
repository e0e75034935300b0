/**
 * Runs a translation: translates the texts that changed since the last run or have no translation yet, and writes the
 * result as one revision at the end. Each page is stored at once, so a resumed run translates at most one page twice.
 *
 * Errors of the engine or the spaces end the run: the error is stored, the last result stays, and the next run
 * continues with the stored pages. Storage errors make the job retry.
 */
import { Cause, Effect, Result, Schema } from "effect"
import { CurrentActor, host } from "../access/Actor.ts"
import * as Content from "../content/Content.ts"
import { parseDocument } from "../content/documents/StoredDocument.ts"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { type ObjectDraft, Objects } from "../content/store/Objects.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import { Events } from "../event/Events.ts"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { SpaceTable } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { Glossaries } from "./Glossaries.ts"
import type * as ManualEdits from "./ManualEdits.ts"
import { sourceTranslation } from "./SourceTranslation.ts"
import {
  TranslatedTable,
  translationEventFields,
  TranslationId,
  type TranslationRow,
  TranslationTable
} from "./Translation.ts"
import { isUsable, makeTranslationResults } from "./TranslationResults.ts"
import { next, type TranslationEvent } from "./TranslationState.ts"
import { Translator } from "./Translator.ts"

export const RunTranslation = Job.kind("run-translation", Schema.Struct({ translation: Schema.String }))

/** Version of the format of texts and results. Increment it if equal texts are sent or combined differently. */
const format = 1

/** Raised if the run cannot continue. The message is stored. */
class RunStopped extends Schema.TaggedError<RunStopped>()("RunStopped", { message: Schema.String }) {}

/** Raised if the translation was deleted, or another run was started. */
class RunEnded extends Schema.TaggedError<RunEnded>()("RunOver", {}) {}

export const runTranslation = Effect.gen(function* () {
  const storage = yield* Storage
  const objects = yield* Objects
  const revisions = yield* Revisions
  const results = yield* makeTranslationResults
  const { engine } = yield* Translator
  const events = yield* Events
  const translate = yield* sourceTranslation
  const glossaries = yield* Glossaries
  const translations = storage.repository(TranslationTable)
  const translated = storage.repository(TranslatedTable)
  const spaces = storage.repository(SpaceTable)

  /** Applies an event to the translation and runs `inTransaction`, in one transaction. Returns the new row. */
  const step = (
    id: TranslationId,
    event: TranslationEvent,
    inTransaction: (translation: TranslationRow) => Effect.Effect<void, StorageError, CurrentActor> = () => Effect.void
  ) =>
    storage.transaction(
      Effect.gen(function* () {
        const translation = yield* translations.get({ id })
        const patch = translation && next(translation, event, yield* Timestamps.now)
        if (patch === undefined || Result.isFailure(patch)) return yield* new RunEnded()
        yield* translations.update({ id }, patch.success)
        yield* inTransaction(translation!)
        return (yield* translations.get({ id }))!
      })
    )

  const emitFinished = (state: "success" | "failure") => (translation: TranslationRow) =>
    events.emit({
      type: "translation_finished",
      ...translationEventFields(translation),
      state,
      startedBy: translation.startedBy ?? null
    })

  const sourceOf = Effect.fnUntraced(function* ({ source, organization }: TranslationRow) {
    if (source === undefined) {
      return yield* new RunStopped({ message: "The translation has no source space, so there is nothing to translate" })
    }
    const space = yield* spaces.get({ id: source.space })
    if (space === undefined || space.deletedAt !== undefined || space.removing === true) {
      return yield* new RunStopped({ message: "The source space was deleted" })
    }
    if (space.organization !== organization) {
      return yield* new RunStopped({ message: "The source space belongs to another organization now" })
    }
    return space
  })

  type Terms = Effect.Success<ReturnType<typeof glossaries.terms>>

  const termsOf = ({ organization, source, language }: TranslationRow): Effect.Effect<Terms, StorageError> =>
    source?.language === undefined ? Effect.succeed([]) : glossaries.terms(organization, source.language, language)

  const keyOf = ({ source, language, instructions }: TranslationRow, terms: Terms) =>
    objects
      .sha256(JSON.stringify([format, engine, source?.language ?? null, language, instructions ?? null, terms]))
      .slice(0, 22)

  const instructionsOf = ({ instructions }: TranslationRow) =>
    instructions === undefined
      ? Effect.undefined
      : Effect.map(objects.document(instructions), (document) => Markdown.print(parseDocument(document)))

  const untranslatedOf = (id: TranslationId) =>
    Effect.map(translated.list({ where: { translation: id, incomplete: true } }), (rows) =>
      rows.reduce((sum, row) => sum + row.untranslated, 0)
    )

  const work = Effect.fnUntraced(function* (initial: TranslationRow, run: string) {
    const space = yield* sourceOf(initial)
    const translation = yield* step(initial.id, { type: "begin", run, source: space.revision })
    const terms = yield* termsOf(translation)
    const key = keyOf(translation, terms)
    // If the key differs from the last run's, everything is translated again, without using earlier translations.
    const last = translation.made?.key === key ? translation.made : undefined
    const source = yield* revisions.get(translation.progress!.source)
    const draft = objects.draft()
    const before = last && (yield* revisions.get(last.source)).content
    const content = yield* translate(
      {
        translation,
        source: space.id,
        key,
        instructions: yield* instructionsOf(translation),
        terms,
        before: {
          source: before ?? Content.empty,
          translation: last?.content ?? Content.empty
        },
        after: source.content,
        done: ({ kind, words, isNew }, store) =>
          Effect.asVoid(
            step(initial.id, { type: "progress", run, words, page: kind === "page" && words > 0, isNew }, () => store)
          )
      },
      draft
    )
    yield* draft.flushAhead
    yield* draft.flush
    const sources = before && { before, after: source.content }
    yield* finish(translation, run, draft, { source: source.id, key, content }, sources)
  })

  /** Writes the result and ends the run. */
  const finish = Effect.fnUntraced(function* (
    translation: TranslationRow,
    run: string,
    draft: ObjectDraft,
    completed: NonNullable<TranslationRow["made"]>,
    source: ManualEdits.RunContents | undefined
  ) {
    const { id, language } = translation
    const untranslated = yield* untranslatedOf(id)
    const end = (result: NonNullable<TranslationRow["result"]>) =>
      step(id, { type: "finish", run, result, translated: completed, untranslated }, emitFinished("success"))
    const resultSpace = translation.result && (yield* spaces.get({ id: translation.result.space }))
    if (isUsable(translation, resultSpace)) {
      const contents = { before: translation.made?.content ?? Content.empty, after: completed.content }
      return yield* end(yield* results.update(resultSpace, draft, contents, source))
    }
    return yield* storage.transaction(
      Effect.gen(function* () {
        const source = yield* sourceOf(translation)
        return yield* end(yield* results.create(source, language, completed.content))
      })
    )
  })

  return Job.handler(RunTranslation, ({ payload, attempt }) => {
    const id = TranslationId.make(payload.translation)
    return Effect.gen(function* () {
      const translation = yield* translations.get({ id })
      const run = translation?.run
      if (run === undefined) return
      const fail = (reason: string) => Effect.asVoid(step(id, { type: "fail", run, reason }, emitFinished("failure")))
      yield* Effect.asVoid(work(translation!, run)).pipe(
        Effect.catchTags({
          TranslatorFailed: ({ message }) => fail(message),
          RunStopped: ({ message }) => fail(message),
          SpaceLocked: () => fail("The result space is locked, so nothing can be written to it"),
          SpaceNotFound: () => fail("The result space was deleted meanwhile; the next run makes another one"),
          Forbidden: ({ message }) => fail(message),
          ContentOutdated: () =>
            fail("The result space was edited at the same time, again and again; run the translation once more")
        }),
        // Unexpected errors are stored after the last attempt.
        Effect.tapCause((cause) =>
          attempt < RunTranslation.attempts || Cause.hasInterruptsOnly(cause)
            ? Effect.void
            : fail("Something went wrong on our side; run the translation once more")
        ),
        Effect.catchTag("RunOver", () => Effect.void)
      )
    }).pipe(Effect.provideService(CurrentActor, host))
  })
})
