/**
 * Keeps what was answered to reads as it went out, and gives it again before anything else is asked: the same
 * request by the same token, for as long as its answer certainly holds. That is until something is written that it was
 * read from (`Reads`), by whomever: `Storage.generation` is asked each time, so a revoked token ends at once. Or
 * until a moment comes that counted (`Moment`). An answer that the store alone did not decide is not kept, and neither
 * is one with a body that is streamed.
 *
 * What a token asks for is kept when it asks again, and often enough to be worth its place (see `Admission`). Where no
 * answer held until the next time, the following ones are let go: to keep them is most of what a miss costs.
 *
 * Default: nothing is kept. Limits: `ResponseCacheOptions.bytes` in all, what was used last; the 200 and 304 of requests
 * without a body, for the operations named here.
 */
import { WatchedClock } from "@lectern/core/moment/Moment"
import { Lru } from "@lectern/core/storage/Lru"
import { CurrentReads, Reads } from "@lectern/core/storage/Reads"
import { Storage } from "@lectern/core/storage/Storage"
import { Clock, Context, Effect, Exit } from "effect"
import { Cookies, type HttpBody, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Admission, type Liked, type Mark } from "./Admission.ts"
import type { Again, Beside } from "./Beside.ts"
import type { Noted } from "./Observation.ts"
import { type OperationName, routesOf } from "./OperationNames.ts"
import { pathOf } from "./RequestBody.ts"
import { routeOf } from "./Routes.ts"

export interface ResponseCacheOptions {
  /** The most bytes of answers that are kept; 0: none. */
  readonly bytes: number
  /** Keep what a token asks for once as well. Default: what is worth its place (see `Admission`). */
  readonly atOnce?: boolean
}

export const ResponseCacheOptions = Context.Reference<ResponseCacheOptions>(
  "@lectern/http/server/ResponseCacheOptions",
  {
    defaultValue: () => ({ bytes: 0 })
  }
)

const content = (
  ["revision", "pages", "files", "file", "page", "document", "metaLinks", "pageByPath"] as const
).flatMap((name) => [`spaceContent.${name}`, `changeRequestContent.${name}`, `revisions.${name}`] as const)

/** Operations whose answers come from the store and from nowhere else. */
const keptOperations: ReadonlyArray<OperationName> = [
  ...content,
  "users.me",
  "users.get",
  "organizations.list",
  "organizations.get",
  "members.list",
  "members.get",
  "teams.list",
  "teams.get",
  "teams.listMembers",
  "collections.list",
  "collections.get",
  "collections.listSpaces",
  "spaces.list",
  "spaces.get",
  "spaceGrants.listUsers",
  "spaceGrants.listTeams",
  "spaceComments.list",
  "spaceComments.get",
  "changeRequests.list",
  "changeRequests.get",
  "changeRequests.changes",
  "changeRequestComments.list",
  "changeRequestComments.get",
  "reviews.list",
  "sites.list",
  "sites.get",
  "sites.structure",
  "siteSections.list",
  "siteSectionGroups.list",
  "siteSpaces.list",
  "redirects.list",
  "published.site",
  "openApiSpecs.list",
  "openApiSpecs.get"
]

const kept = routesOf(keptOperations)

/** A request as the platform has it: `url` without the host. */
export interface Asked {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

export interface KeptResponse {
  /** The request that it was the answer to; undefined where nobody watches. */
  readonly noted: Noted | undefined
  readonly response: HttpServerResponse.HttpServerResponse
  /** Headers beside its own that are the same each time. */
  readonly headers: Readonly<Record<string, string>>
  /** By which its caller is counted; undefined where nobody counts. */
  readonly caller: string | undefined
  /** Told each time that it is given again, if anybody has to know. */
  readonly again?: Again | undefined
}

/** An answer to be sent as it is. */
export interface Written {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

/** An answer as it is sent, with more headers than its own. A body that is streamed is left out. */
export const written = (
  { status, headers, body }: HttpServerResponse.HttpServerResponse,
  more: Readonly<Record<string, string>>
): Written => ({
  status,
  headers: { ...headers, ...more },
  body: body._tag === "Uint8Array" ? (body.text ?? body.body) : undefined
})

/** Makes an answer while it is noted how long that will hold. */
export const watched = <A, E, R>(
  reading: Reading | undefined,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  reading === undefined
    ? effect
    : Effect.flatMap(Effect.exit(reading.asOf), (generation) => {
        if (Exit.isSuccess(generation)) reading.generation = generation.value
        return Effect.updateContext(effect, (context: Context.Context<R>) =>
          Context.add(Context.add(context, Clock.Clock, reading.clock), CurrentReads, reading.reads)
        )
      })

/** A request whose answer may be kept. */
export interface Reading {
  readonly clock: WatchedClock
  readonly reads: Reads
  readonly token: string
  readonly question: string
  readonly mark: Mark
  /** Asked in the request, before anything is read: a fiber for the question alone costs more than the answer. */
  readonly asOf: Storage["Service"]["generation"]
  /** Undefined until it was asked for, and where it could not be. */
  generation: number | undefined
}

export interface ResponseCache {
  /** The answer that is kept and holds. Undefined for any other request, whose answer may be kept then. */
  readonly find: (asked: Asked, source: object) => KeptResponse | undefined
  /**
   * The reading that `find` has just begun for what the platform calls the request; undefined where nothing is to be
   * kept. Given once.
   */
  readonly reading: (source: object) => Reading | undefined
  /** Keeps what was answered, if it holds for a while. */
  readonly keep: (
    reading: Reading,
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse,
    more: Omit<KeptResponse, "response">
  ) => void
}

/** An answer that is kept. Its fields stand together in memory, of which little else is looked at to give it again. */
class Entry implements KeptResponse, Liked {
  readonly token: string
  readonly mark: Mark
  readonly until: number
  readonly reads: Reads
  readonly response: KeptResponse["response"]
  readonly headers: KeptResponse["headers"]
  readonly noted: KeptResponse["noted"]
  readonly caller: KeptResponse["caller"]
  readonly again: KeptResponse["again"]
  /** How often the question is answered without keeping that, once this is over and was not given. */
  readonly pause: number
  /** The generation in which it was last known to hold. */
  seen: number
  /** It was given again, so to keep it was worth it. */
  isGiven = false
  /** It holds no more. */
  isOver = false
  /** How often its question was not kept by now. */
  paused = 0
  given = 0
  age = 0

  constructor({ token, mark, clock, reads }: Reading, kept: KeptResponse, generation: number, pause: number) {
    this.token = token
    this.mark = mark
    this.until = clock.holdsUntil
    this.reads = reads
    this.response = kept.response
    this.headers = kept.headers
    this.noted = kept.noted
    this.caller = kept.caller
    this.again = kept.again
    this.pause = pause
    this.seen = generation
  }
}

/** Answers to one question by several tokens, and how many of them have each body. */
interface Many {
  readonly byToken: Map<string, Entry>
  readonly bodies: Map<HttpBody.HttpBody, number>
}

/**
 * Answers to one question. Who asks gets an answer of its own, though most bodies are the same. Most questions are one
 * token's alone, and what is kept for long costs more to be made than what is not: there are no maps for one.
 */
class Answers {
  /** Bytes. */
  size: number
  #only: Entry | undefined
  #many: Many | undefined

  constructor(question: string) {
    this.size = question.length
  }

  get entries(): ReadonlyArray<Entry> {
    return this.#many === undefined ? (this.#only === undefined ? [] : [this.#only]) : [...this.#many.byToken.values()]
  }

  get(token: string): Entry | undefined {
    if (this.#only === undefined) return this.#many?.byToken.get(token)
    return this.#only.token === token ? this.#only : undefined
  }

  add(entry: Entry): void {
    const { token } = entry
    const before = this.get(token)
    if (before === undefined) this.size += overhead + token.length
    this.size += sizeOf(entry) - (before === undefined ? 0 : sizeOf(before))
    if (this.#many === undefined && (this.#only === undefined || before !== undefined)) {
      this.size += bytesOf(entry.response.body) - (before === undefined ? 0 : bytesOf(before.response.body))
      this.#only = entry
      return
    }
    const many = (this.#many ??= manyOf(this.#only!))
    this.#only = undefined
    many.byToken.set(token, entry)
    if (before !== undefined) this.#count(many, before, -1)
    this.#count(many, entry, 1)
  }

  #count({ bodies }: Many, { response: { body } }: Entry, more: 1 | -1): void {
    const known = bodies.get(body) ?? 0
    if (known + more === 0) bodies.delete(body)
    else bodies.set(body, known + more)
    if (known === 0 || known + more === 0) this.size += more * bytesOf(body)
  }
}

const manyOf = (entry: Entry): Many => ({
  byToken: new Map([[entry.token, entry]]),
  bodies: new Map([[entry.response.body, 1]])
})

/** Twice as long as the last time where that was for nothing, too. */
const pauseBehind = (before: Entry | undefined): number =>
  before === undefined || before.isGiven ? 0 : Math.min(2 * before.pause + 1, longestPause)

/** Memory that it takes to know what an answer was read from. */
const sizeOf = ({ reads }: Entry): number => reads.things.size * thingSize

/** Memory that a body takes. A text that is not all ASCII takes two bytes for each character. */
const bytesOf = (body: HttpBody.HttpBody): number => {
  if (body._tag !== "Uint8Array") return 0
  const { text, contentLength } = body
  return text === undefined || text.length === contentLength ? contentLength : 2 * text.length
}

/** For how many asks at most no answer is kept, where none held until the next. */
const longestPause = 15

/** Cost of an answer beside its body: headers and objects (bytes). */
const overhead = 1_500
/** Cost of the name of something that it was read from (bytes). */
const thingSize = 120

/** Headers that an answer may depend on beside the token; who sends one of the second kind is answered anew. */
const askedHeaders = ["accept-encoding", "if-none-match", "origin"] as const
const otherHeaders = ["range", "if-range", "content-length", "transfer-encoding", "expect", "upgrade"] as const

/** The question of a request, whoever asks; undefined for one that is not to be kept. */
const questionOf = ({ method, url, headers }: Asked): string | undefined => {
  if (method !== "GET" || url === undefined || headers["host"] === undefined) return undefined
  for (const name of otherHeaders) if (headers[name] !== undefined) return undefined
  let question = url
  for (const name of askedHeaders) question += `\n${headers[name] ?? ""}`
  return question
}

/** A question, and who asks it: answers to one question are kept for each asker. */
interface Question {
  readonly token: string
  readonly question: string
}

/** Kinds of requests whose answers are kept. */
interface Kind {
  /** Keep what is asked for once: others will ask for the same. */
  readonly isShared: boolean
  readonly ask: (asked: Asked, source: object) => Question | undefined
  readonly isKept: (request: HttpServerRequest.HttpServerRequest, noted: Noted | undefined) => boolean
}

/** Reads of the interface by a token. */
const ofInterface: Kind = {
  isShared: false,
  ask: (asked) => {
    const token = asked.headers["authorization"]
    const question = questionOf(asked)
    return question === undefined || typeof token !== "string" ? undefined : { token, question }
  },
  isKept: ({ url }, noted) => kept.has(noted?.route ?? routeOf("GET", pathOf(url)))
}

/** Reads of an application beside the interface (see `Beside`). */
export const ofBeside = ({ questionOf: own }: Pick<Beside, "questionOf">): Kind => ({
  isShared: true,
  ask: (asked, source) => {
    // A question of the interface is asked with a token.
    if (asked.headers["authorization"] !== undefined) return undefined
    const question = questionOf(asked)
    const token = question === undefined ? undefined : own(asked, source)
    return question === undefined || token === undefined ? undefined : { token, question }
  },
  isKept: () => true
})

/** Undefined where nothing is to be kept. */
export const make = Effect.fnUntraced(function* (kind: Kind = ofInterface) {
  const { bytes: limit, atOnce = false } = yield* ResponseCacheOptions
  if (limit <= 0) return undefined
  const { generation, changedSince } = yield* Storage
  const clock = yield* Clock.Clock
  // What is not found is answered at once, so there is one at a time: to know more of them costs far more.
  let begun: { readonly source: object; readonly reading: Reading } | undefined
  // To keep what is hardly asked for costs more than it saves.
  const admission = atOnce || kind.isShared ? undefined : new Admission()
  // From now on it is known what is written.
  changedSince(new Reads(), 0)
  const isLate = ({ until }: Entry): boolean => clock.currentTimeMillisUnsafe() >= until
  const isPast = (entry: Entry): boolean => isLate(entry) || changedSince(entry.reads, entry.seen)
  const answers = new Lru<string, Answers>(
    limit,
    admission &&
      ((gone) => {
        const entries = gone.flatMap(({ entries }) => entries)
        admission.gone(entries.map((entry) => (entry.isOver || isPast(entry) ? undefined : entry)))
      })
  )

  const holds = (entry: Entry): boolean => {
    if (entry.isOver) return false
    const asOf = Effect.runSyncExit(generation)
    if (Exit.isFailure(asOf) || asOf.value === undefined) return false
    entry.isOver = entry.seen === asOf.value ? isLate(entry) : isPast(entry)
    entry.seen = asOf.value
    return !entry.isOver
  }

  /** Tells whether what is answered next is to be kept. `entry`: of the same question, which holds no more. */
  const isWorthIt = (mark: Mark, entry: Entry | undefined): boolean => {
    if (admission === undefined) return true
    if (entry === undefined) return admission.admits(mark, answers.isFull)
    return entry.isGiven || entry.paused++ >= entry.pause
  }

  return {
    find: (asked, source) => {
      const wanted = kind.ask(asked, source)
      if (wanted === undefined) return undefined
      const { token, question } = wanted
      const entry = answers.get(question)?.get(token)
      const mark = entry?.mark ?? admission?.markOf(token, question) ?? 0
      if (entry !== undefined && holds(entry)) {
        entry.isGiven = true
        admission?.given(entry)
        return entry
      }
      // Most is asked for once, and the store is not asked for it.
      if (!isWorthIt(mark, entry)) return undefined
      begun = {
        source,
        reading: {
          clock: new WatchedClock(clock),
          reads: new Reads(),
          token,
          question,
          mark,
          asOf: generation,
          generation: undefined
        }
      }
      return undefined
    },

    reading: (source) => {
      const reading = begun?.source === source ? begun.reading : undefined
      begun = undefined
      return reading
    },

    keep: (reading, request, response, more) => {
      const { clock, reads, token, question, generation } = reading
      const { status, body } = response
      if (generation === undefined) return
      if (reads.isEverything || clock.holdsUntil === 0 || (status !== 200 && status !== 304)) return
      if ((body._tag !== "Uint8Array" && body._tag !== "Empty") || !Cookies.isEmpty(response.cookies)) return
      if (!kind.isKept(request, more.noted)) return
      const known = answers.get(question) ?? new Answers(question)
      const pause = admission === undefined ? 0 : pauseBehind(known.get(token))
      known.add(new Entry(reading, { ...more, response }, generation, pause))
      answers.set(question, known, known.size)
    }
  } satisfies ResponseCache
})
