/**
 * Sources of a content's computed pages as they are now: specs as far as the actor may see them, and answers
 * of integrations, which are the same for everyone.
 *
 * Specs are looked up at once. Integrations are asked by `whole` alone, so that who reads nothing that
 * is computed waits for none.
 *
 * Limit: 100 sources of integrations in a content, those that stand in the answers of others included,
 * three deep.
 */
import { Context, Effect } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Content } from "../content/Content.ts"
import * as ContentReader from "../content/ContentReader.ts"
import { Objects } from "../content/store/Objects.ts"
import type { Timestamp } from "../schema/Text.ts"
import type { SpaceRow } from "../space/Space.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as AnsweredPages from "./AnsweredPages.ts"
import { type ComputedAnswer, ComputedAnswers, keyOf, type SpaceAnswers } from "./ComputedAnswers.ts"
import {
  type ComputedSource,
  type IntegrationSource,
  isIntegration,
  maxComputedPages,
  specOf
} from "./ComputedSource.ts"
import { ComputedSpecs, isPublic, type Seen, type Specs } from "./ComputedSpecs.ts"
import { wired } from "../wiring/Wired.ts"

const maxNesting = 3

/** The pages of a source, or why there are none. */
export type PagesOfSource =
  | { readonly state: "silent" | "absent" }
  | { readonly state: "ready"; readonly since: Timestamp; readonly answer: AnsweredPages.AnsweredPages }

/** The answers of integrations, as they are for one reader of a content. */
export interface Answers {
  readonly pagesOf: (source: IntegrationSource) => PagesOfSource
  /** Asks where the document is not known. */
  readonly documentOf: (source: IntegrationSource) => Effect.Effect<ComputedAnswer, StorageError>
  /** The documents that are known, without asking. */
  readonly knownDocuments: (
    sources: ReadonlyArray<IntegrationSource>
  ) => Effect.Effect<ReadonlyArray<ComputedAnswer>, StorageError>
  /** Another text when any document was answered. */
  readonly stamp: Effect.Effect<string, StorageError>
}

export interface Sources extends Specs {
  /** Of the integrations; undefined where none is used, or none was asked yet. */
  readonly answers?: Answers
}

/** Sources before integrations are asked. */
export interface KnownSources extends Sources {
  /** Of a body that was read with `whole`: a tag, since what integrations answer has no version known before. */
  readonly tagOf?: (body: string) => string
  readonly whole: Effect.Effect<Sources, StorageError>
}

export class ComputedSources extends Context.Service<
  ComputedSources,
  {
    /** For the actor; undefined where nothing of the content is computed. */
    readonly sources: (
      space: SpaceRow,
      content: Content
    ) => Effect.Effect<KnownSources | undefined, StorageError, CurrentActor>
    /** The same for everyone: public specs alone. */
    readonly publicSources: (space: SpaceRow, content: Content) => Effect.Effect<KnownSources | undefined, StorageError>
    /** Of specs that were looked up before, and integrations as they answer now. */
    readonly restored: (space: SpaceRow, content: Content, specs: Specs) => Effect.Effect<Sources, StorageError>
    /** Sources of one source alone, of its pages or its text, for the actor. No content has to be computed from it. */
    readonly ofOne: (
      space: SpaceRow,
      source: ComputedSource,
      gives: "pages" | "text"
    ) => Effect.Effect<Sources, StorageError, CurrentActor>
  }
>()("@lectern/core/computed/ComputedSources") {
  static readonly layer = wired(
    ComputedSources,
    Effect.gen(function* () {
      const specs = yield* ComputedSpecs
      const answers = yield* ComputedAnswers
      const objects = yield* Objects
      const hasher = yield* Hasher

      /** The sources of integrations that pages of a content stand for. */
      const standingIn = (content: Content) =>
        Effect.map(
          ContentReader.make(objects, content).pages((content.computed ?? []).map(({ page }) => page)),
          (pages) =>
            pages.flatMap((page) =>
              page?.type === "computed" && page.computed !== undefined && isIntegration(page.computed)
                ? page.computed
                : []
            )
        )

      /** Answers of the integrations, and the specs that are named in them. */
      const asked = Effect.fnUntraced(function* (of: SpaceAnswers, standing: ReadonlyArray<IntegrationSource>) {
        const found = new Map<string, PagesOfSource>()
        const named = new Set<string>()
        const said: Array<unknown> = []
        let next = distinct(standing)
        for (let depth = 0; next.size > 0 && depth < maxNesting; depth++) {
          const wanted = [...next].filter(([key]) => !found.has(key)).slice(0, maxComputedPages - found.size)
          const given = yield* of.answers(
            "pages",
            wanted.map(([, source]) => source)
          )
          const below: Array<IntegrationSource> = []
          for (const [i, [key]] of wanted.entries()) {
            const answer = given[i]!
            said.push([key, answer])
            if (answer.state !== "ready") {
              found.set(key, answer)
              continue
            }
            const read = yield* objects.read<AnsweredPages.AnsweredPages>(answer.answer)
            found.set(key, { state: "ready", since: answer.since, answer: read })
            for (const { type, computed } of AnsweredPages.all(read.pages)) {
              if (computed === undefined) continue
              if (!isIntegration(computed)) named.add(specOf(computed))
              else if (type === "computed") below.push(computed)
            }
          }
          next = distinct(below)
        }
        return { found, named, said }
      })

      const answersOf = (of: SpaceAnswers, found: ReadonlyMap<string, PagesOfSource>): Answers => ({
        pagesOf: (source) => found.get(keyOf(source)) ?? { state: "absent" },
        documentOf: (source) => Effect.map(of.answers("document", [source]), ([answer]) => answer!),
        knownDocuments: (sources) => of.answers("document", sources, { knownOnly: true }),
        stamp: of.stamp
      })

      const whole = Effect.fnUntraced(function* (
        space: SpaceRow,
        names: ReadonlyArray<string>,
        standing: ReadonlyArray<IntegrationSource>,
        find: (names: ReadonlyArray<string>) => Effect.Effect<Specs, StorageError>
      ) {
        const of = yield* answers.of(space)
        const { found, named, said } = yield* asked(of, standing)
        const known = yield* find([...new Set([...names, ...named])])
        return {
          ...known,
          key: hasher.sha256(JSON.stringify([known.key, said])).slice(0, 22),
          answers: answersOf(of, found)
        } satisfies Sources
      })

      const wholeOf = (space: SpaceRow, content: Content, find: Parameters<typeof whole>[3]) =>
        Effect.flatMap(standingIn(content), (standing) => whole(space, namesOf(content), standing, find))

      const make = Effect.fnUntraced(function* (space: SpaceRow, content: Content, isSeen: Seen) {
        const find = (names: ReadonlyArray<string>) => specs.find(space.organization, names, isSeen)
        const known = yield* find(namesOf(content))
        return (
          usesIntegrations(content)
            ? {
                ...known,
                tagOf: (body: string) => hasher.sha256(body).slice(0, 22),
                whole: yield* Effect.cached(wholeOf(space, content, find))
              }
            : { ...known, whole: Effect.succeed(known) }
        ) satisfies KnownSources
      })

      return ComputedSources.of({
        sources: Effect.fnUntraced(function* (space, content) {
          if (content.computed === undefined) return undefined
          return yield* make(space, content, yield* specs.seen(space.organization))
        }),

        publicSources: Effect.fnUntraced(function* (space, content) {
          return content.computed === undefined ? undefined : yield* make(space, content, isPublic)
        }),

        restored: (space, content, known) =>
          usesIntegrations(content) ? wholeOf(space, content, () => Effect.succeed(known)) : Effect.succeed(known),

        ofOne: Effect.fnUntraced(function* (space, source, gives) {
          const isSeen = yield* specs.seen(space.organization)
          const find = (names: ReadonlyArray<string>) => specs.find(space.organization, names, isSeen)
          return isIntegration(source)
            ? yield* whole(space, [], gives === "pages" ? [source] : [], find)
            : yield* find([specOf(source)])
        })
      })
    }),
    [ComputedAnswers.layer, ComputedSpecs.layer, Objects.layer]
  )
}

const namesOf = ({ computed = [] }: Content): ReadonlyArray<string> => [
  ...new Set(computed.flatMap(({ spec }) => spec ?? []))
]

const usesIntegrations = ({ computed = [] }: Content): boolean => computed.some(({ spec }) => spec === undefined)

const distinct = (sources: ReadonlyArray<IntegrationSource>): ReadonlyMap<string, IntegrationSource> =>
  new Map(sources.map((source) => [keyOf(source), source]))
