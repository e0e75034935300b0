/**
 * The space that a translation writes to. The first run creates it next to the source, with the same permissions. Its
 * pages, files and reusable contents have the ids of the source.
 *
 * Edits in the result are kept: each run is merged by block. A text that was edited and also changed in the source is
 * replaced by the new translation (see `ManualEdits`).
 */
import { Effect, Equal } from "effect"
import type { Content } from "../content/Content.ts"
import { LiveEdits } from "../content/edits/LiveEdits.ts"
import * as ContentMerge from "../content/merge/ContentMerge.ts"
import type { ObjectDraft } from "../content/store/Objects.ts"
import { Events } from "../event/Events.ts"
import type { Language } from "../schema/Language.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { makeNewSpaces } from "../space/NewSpaces.ts"
import { inOneLine } from "../schema/Text.ts"
import { maxTitle, type SpaceRow } from "../space/Space.ts"
import * as ManualEdits from "./ManualEdits.ts"
import type { TranslationRow } from "./Translation.ts"

/** Returns true if a space can be written to: it is not deleted, and belongs to the organization. */
export const isUsable = (
  { organization }: Pick<TranslationRow, "organization">,
  space: SpaceRow | undefined
): space is SpaceRow =>
  space !== undefined &&
  space.organization === organization &&
  space.deletedAt === undefined &&
  space.removing === undefined

export const makeTranslationResults = Effect.gen(function* () {
  const liveEdits = yield* LiveEdits
  const newSpaces = yield* makeNewSpaces
  const events = yield* Events

  return {
    /**
     * Merges the differences into an existing result. Returns the revision that contains them. `translation`:
     * translated contents of the last run and this one. `source`: source contents of the two runs; undefined if
     * everything was translated again.
     */
    update: (
      result: SpaceRow,
      draft: ObjectDraft,
      translation: ManualEdits.RunContents,
      source: ManualEdits.RunContents | undefined
    ) =>
      liveEdits.retry(
        result.id,
        Effect.fnUntraced(function* (base) {
          // Conflicts are resolved by the new translation and not stored.
          const sides = yield* ManualEdits.mergeSides(draft, translation, source, base.content)
          const { content } = yield* ContentMerge.merge(draft, { ...sides, ours: translation.after })
          if (Equal.equals(content, base.content)) return { space: result.id, revision: base.id }
          const revision = yield* liveEdits.commit({ base, draft, content })
          return { space: result.id, revision: revision.id }
        })
      ),

    /** Creates the result with this content. Called inside a transaction. */
    create: Effect.fnUntraced(function* (source: SpaceRow, language: Language, content: Content) {
      const { organization } = source
      const space = yield* newSpaces.insert(
        {
          organization,
          title: titleOf(source.title, language),
          emoji: source.emoji,
          editMode: "live",
          language,
          defaultLevel: "inherit",
          follows: source.id,
          ...(source.parent !== undefined && { parent: source.parent })
        },
        content,
        yield* Timestamps.now
      )
      yield* events.emit({ type: "space_created", organization, space: space.id }, { label: space.title })
      return { space: space.id, revision: space.revision }
    })
  }
})

/** Returns the title of the result: the source's title, shortened if necessary, and the language. */
const titleOf = (title: string, language: Language): string => {
  const suffix = ` (${new Intl.DisplayNames(["en"], { type: "language" }).of(language) ?? language})`
  return inOneLine(title, maxTitle - suffix.length) + suffix
}
