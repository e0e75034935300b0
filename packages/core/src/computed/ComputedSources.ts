/**
 * Current sources of a content's computed pages: specs that the actor may see, and responses of integrations, which are
 * equal for all actors.
 *
 * Specs are read at once. Integrations are called only by `complete`, so that readers of other content do not wait for
 * integrations.
 *
 * Limit: 100 sources of integrations in a content, including sources in responses, three levels deep.
 */
import { Effect } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Content } from "../content/Content.ts"
import * as ContentReader from "../content/ContentReader.ts"
import { Objects } from "../content/store/Objects.ts"
import type { Timestamp } from "../schema/Text.ts"
import type { SpaceRow } from "../space/Space.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as ResponsePages from "./ResponsePages.ts"
import { type ComputedResponse, makeComputedResponses, keyOf, type SpaceResponses } from "./ComputedResponses.ts"
import {
  type ComputedSource,
  type IntegrationSource,
  isIntegration,
  maxComputedPages,
  specOf
} from "./ComputedSource.ts"
import { ComputedSpecs, isPublic, type VisibleSpec, type Specs } from "./ComputedSpecs.ts"

const maxNesting = 3

/** Pages of a source, or the reason why the source has no pages. */
export type SourcePages =
  | { readonly state: "silent" | "absent" }
  | { readonly state: "ready"; readonly since: Timestamp; readonly response: ResponsePages.ResponsePages }

/** Responses of integrations for one reader of a content. */
export interface SourceResponses {
  readonly pagesOf: (source: IntegrationSource) => SourcePages
  /** Returns a document, and calls the integration if necessary. */
  readonly documentOf: (source: IntegrationSource) => Effect.Effect<ComputedResponse, StorageError>
  /** Returns the available documents without calling integrations. */
  readonly availableDocuments: (
    sources: ReadonlyArray<IntegrationSource>
  ) => Effect.Effect<ReadonlyArray<ComputedResponse>, StorageError>
  /** Version of the documents: changes with every new document. */
  readonly stamp: Effect.Effect<string, StorageError>
}

export interface Sources extends Specs {
  /** Responses of integrations. Undefined without integrations, or if the responses are not loaded. */
  readonly responses?: SourceResponses
}

/** Sources without calls of integrations. `complete` calls the integrations and returns all sources. */
export interface CachedSources extends Sources {
  /**
   * Returns the ETag of a response body that was built with `complete`. The tag depends on the body, since responses of
   * integrations have no version.
   */
  readonly tagOf?: (body: string) => string
  readonly complete: Effect.Effect<Sources, StorageError>
}

export const makeComputedSources = Effect.gen(function* () {
  const specs = yield* ComputedSpecs
  const computedResponses = yield* makeComputedResponses
  const objects = yield* Objects
  const hasher = yield* Hasher

  /** Returns the integrations' sources of a content's computed pages. */
  const integrationSourcesIn = (content: Content) =>
    Effect.map(ContentReader.make(objects, content).pages((content.computed ?? []).map(({ page }) => page)), (pages) =>
      pages.flatMap((page) =>
        page?.type === "computed" && page.computed !== undefined && isIntegration(page.computed) ? page.computed : []
      )
    )

  /** Returns the responses of integrations, and the names of specs in them. */
  const loadResponses = Effect.fnUntraced(function* (
    spaceResponses: SpaceResponses,
    topSources: ReadonlyArray<IntegrationSource>
  ) {
    const pagesBySource = new Map<string, SourcePages>()
    const specNames = new Set<string>()
    const responseStates: Array<unknown> = []
    let next = distinct(topSources)
    for (let depth = 0; next.size > 0 && depth < maxNesting; depth++) {
      const pendingSources = [...next]
        .filter(([key]) => !pagesBySource.has(key))
        .slice(0, maxComputedPages - pagesBySource.size)
      const responses = yield* spaceResponses.load(
        "pages",
        pendingSources.map(([, source]) => source)
      )
      const nestedSources: Array<IntegrationSource> = []
      for (const [i, [key]] of pendingSources.entries()) {
        const response = responses[i]!
        responseStates.push([key, response])
        if (response.state !== "ready") {
          pagesBySource.set(key, response)
          continue
        }
        const read = yield* objects.read<ResponsePages.ResponsePages>(response.object)
        pagesBySource.set(key, { state: "ready", since: response.since, response: read })
        for (const { type, computed } of ResponsePages.all(read.pages)) {
          if (computed === undefined) continue
          if (!isIntegration(computed)) specNames.add(specOf(computed))
          else if (type === "computed") nestedSources.push(computed)
        }
      }
      next = distinct(nestedSources)
    }
    return { found: pagesBySource, named: specNames, said: responseStates }
  })

  const answersOf = (
    spaceResponses: SpaceResponses,
    pagesBySource: ReadonlyMap<string, SourcePages>
  ): SourceResponses => ({
    pagesOf: (source) => pagesBySource.get(keyOf(source)) ?? { state: "absent" },
    documentOf: (source) => Effect.map(spaceResponses.load("document", [source]), ([response]) => response!),
    availableDocuments: (sources) => spaceResponses.load("document", sources, { knownOnly: true }),
    stamp: spaceResponses.stamp
  })

  const loadAll = Effect.fnUntraced(function* (
    space: SpaceRow,
    names: ReadonlyArray<string>,
    topSources: ReadonlyArray<IntegrationSource>,
    find: (names: ReadonlyArray<string>) => Effect.Effect<Specs, StorageError>
  ) {
    const spaceResponses = yield* computedResponses.forSpace(space)
    const {
      found: pagesBySource,
      named: specNames,
      said: responseStates
    } = yield* loadResponses(spaceResponses, topSources)
    const specStates = yield* find([...new Set([...names, ...specNames])])
    return {
      ...specStates,
      key: hasher.sha256(JSON.stringify([specStates.key, responseStates])).slice(0, 22),
      responses: answersOf(spaceResponses, pagesBySource)
    } satisfies Sources
  })

  const loadComplete = (space: SpaceRow, content: Content, find: Parameters<typeof loadAll>[3]) =>
    Effect.flatMap(integrationSourcesIn(content), (topSources) => loadAll(space, namesOf(content), topSources, find))

  const make = Effect.fnUntraced(function* (
    space: SpaceRow,
    content: Content,
    isVisible: VisibleSpec
  ): Effect.fn.Return<CachedSources, StorageError> {
    const find = (names: ReadonlyArray<string>) => specs.find(space.organization, names, isVisible)
    const specStates = yield* find(namesOf(content))
    return usesIntegrations(content)
      ? {
          ...specStates,
          tagOf: (body: string) => hasher.sha256(body).slice(0, 22),
          complete: yield* Effect.cached(loadComplete(space, content, find))
        }
      : { ...specStates, complete: Effect.succeed(specStates) }
  })

  return {
    /** Returns the sources for the actor; undefined if the content has no computed pages. */
    sources: Effect.fnUntraced(function* (space: SpaceRow, content: Content) {
      if (content.computed === undefined) return undefined
      return yield* make(space, content, yield* specs.visibilityFor(space.organization))
    }),

    /** Returns the sources with only public specs, which are equal for all actors. */
    publicSources: Effect.fnUntraced(function* (space: SpaceRow, content: Content) {
      return content.computed === undefined ? undefined : yield* make(space, content, isPublic)
    }),

    /** Returns sources from the given specs, and current responses of integrations. */
    restored: (space: SpaceRow, content: Content, specStates: Specs): Effect.Effect<Sources, StorageError> =>
      usesIntegrations(content)
        ? loadComplete(space, content, () => Effect.succeed(specStates))
        : Effect.succeed(specStates),

    /** Loads a single source, for its pages or its text. The source need not be used in a content. */
    forSource: Effect.fnUntraced(function* (
      space: SpaceRow,
      source: ComputedSource,
      expectedResult: "pages" | "text"
    ): Effect.fn.Return<Sources, StorageError, CurrentActor> {
      const isVisible = yield* specs.visibilityFor(space.organization)
      const find = (names: ReadonlyArray<string>) => specs.find(space.organization, names, isVisible)
      return isIntegration(source)
        ? yield* loadAll(space, [], expectedResult === "pages" ? [source] : [], find)
        : yield* find([specOf(source)])
    })
  }
})

const namesOf = ({ computed = [] }: Content): ReadonlyArray<string> => [
  ...new Set(computed.flatMap(({ spec }) => spec ?? []))
]

const usesIntegrations = ({ computed = [] }: Content): boolean => computed.some(({ spec }) => spec === undefined)

const distinct = (sources: ReadonlyArray<IntegrationSource>): ReadonlyMap<string, IntegrationSource> =>
  new Map(sources.map((source) => [keyOf(source), source]))
