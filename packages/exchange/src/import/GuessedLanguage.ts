/** Stores the language that an import guessed, if the space has no language. */
import { Effect } from "effect"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import type { GuessedLanguage } from "./LanguageGuess.ts"
import type { Storage } from "@lectern/core/storage/Storage"

/** Sets the language of the space. English is not stored: it is the default of a space without a language. */
export const storeGuessedLanguage = Effect.fnUntraced(function* (
  storage: Storage["Service"],
  id: SpaceId,
  languages: ReadonlyArray<GuessedLanguage> | undefined
) {
  const language = languages?.[0]?.language
  if (language === undefined || language === "en") return
  const spaces = storage.repository(SpaceTable)
  const updatedAt = yield* Timestamps.now
  yield* storage.transaction(
    Effect.gen(function* () {
      const space = yield* spaces.get({ id })
      if (space !== undefined && space.language === undefined) yield* spaces.update({ id }, { language, updatedAt })
    })
  )
})
