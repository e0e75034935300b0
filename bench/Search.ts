/**
 * Measures searches in a space of 10,000 pages, on the core over a SQLite file. The baseline is a query of an
 * SQLite FTS5 table of the pages' texts. Both return JSON with the best 50 pages, a snippet of each, and the number of
 * matches. Both run in this process, in alternating rounds. Figures are medians.
 *
 * - "first": each search has another word, since repeated searches are cached. "again": the search is repeated.
 * - First row: a process that has not searched before. All other rows follow 500 searches, after which V8 has compiled
 *   the code.
 * - "longest": longest block of the event loop during 20 sequential searches for other words.
 *
 * Searches start when the index is merged into one segment, as some seconds after the last write. A separate row
 * reports the time of this merge and its longest block.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { SearchIndexing } from "@lectern/core/search/indexing/SearchIndexing"
import { Searches } from "@lectern/core/search/Searches"
import { Spaces } from "@lectern/core/space/Spaces"
import Database from "better-sqlite3"
import { Effect, Layer } from "effect"

const size = 10_000
const runs = 60
/** Number of searches that are not measured. */
const warmUp = 500

interface Text {
  readonly title: string
  readonly headings: ReadonlyArray<string>
  readonly paragraphs: ReadonlyArray<string>
}

/** Returns texts with a realistic word frequency: the n-th word is n times rarer than the first. */
const texts = (): ReadonlyArray<Text> => {
  let state = 42
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648
  const syllables = [
    "con",
    "fi",
    "gu",
    "ra",
    "ser",
    "ver",
    "pa",
    "ge",
    "to",
    "ken",
    "in",
    "de",
    "x",
    "ma",
    "lo",
    "st",
    "er",
    "ti"
  ]
  const word = (n: number) => {
    let text = syllables[n % 18]!
    for (let rest = Math.floor(n / 18) + 1; rest > 0; rest = Math.floor(rest / 18)) text += syllables[rest % 18]
    return text
  }
  const words = Array.from({ length: 30_000 }, (_, n) => word(n))
  const zipf = () => words[Math.floor(30_000 ** random()) - 1] ?? words[0]!
  const randomWords = (count: number) => Array.from({ length: count }, zipf).join(" ")
  return Array.from({ length: size }, (_, i) => ({
    title: `${randomWords(3)} ${i}`,
    headings: Array.from({ length: 3 }, () => randomWords(3)),
    paragraphs: Array.from(
      { length: 4 },
      (_, n) => randomWords(60) + (n === 2 ? ` rare${i}rare` : "") + (n === 0 ? ` ${everyPage}` : "")
    )
  }))
}

const markdown = ({ headings, paragraphs }: Text) =>
  paragraphs.map((paragraph, n) => (n === 0 ? paragraph : `## ${headings[n - 1]}\n\n${paragraph}`)).join("\n\n")

/** A hundred words that occur on every page. */
const commonWords = Array.from(
  { length: 100 },
  (_, n) => `common${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`
)
const everyPage = commonWords.join(" ")

const beginnings = [
  "co",
  "fi",
  "gu",
  "ra",
  "se",
  "ve",
  "pa",
  "ge",
  "to",
  "ke",
  "in",
  "de",
  "ma",
  "lo",
  "st",
  "er",
  "ti"
]

/**
 * Returns another query for each run. Trailing blanks make further queries of the same prefix. For the baseline, the
 * caller appends the `*` that the core adds by itself.
 */
const queries = {
  "rare word": (run: number) => `rare${run * 50}rare`,
  "common word": (run: number) => commonWords[run % 100]!,
  "two-letter prefix": (run: number) => `${beginnings[run % 17]!}${" ".repeat(Math.floor(run / 17))}`
}

/** Returns a query for a process that has not searched before. */
const firstWord = (run: number) => `rare${run * 50 + 1}rare`

/** Rare words that no other query contains. */
const otherWords = Array.from({ length: warmUp }, (_, n) => `rare${Math.floor(n / 10) * 50 + 10 + (n % 10)}rare`)

const bareIndex = (file: string, pageTexts: ReadonlyArray<Text>) => {
  const db = new Database(file)
  db.pragma("journal_mode = WAL")
  db.exec("CREATE VIRTUAL TABLE page USING fts5 (title, heading, body, prefix = '2 3')")
  const insert = db.prepare("INSERT INTO page (rowid, title, heading, body) VALUES (?, ?, ?, ?)")
  db.transaction(() => {
    for (const [i, { title, headings, paragraphs }] of pageTexts.entries()) {
      insert.run(i + 1, title, headings.join("\n"), paragraphs.join("\n"))
    }
  })()
  const find = db.prepare(
    "SELECT rowid AS id, title, snippet(page, -1, '', '', '…', 40) AS body FROM page WHERE page MATCH ? ORDER BY bm25(page, 10, 5, 1) LIMIT 50"
  )
  const count = db.prepare("SELECT count(*) FROM page WHERE page MATCH ?").pluck()
  return (query: string) => JSON.stringify({ items: find.all(query), count: count.get(query) })
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Returns the longest block of the event loop while an effect runs (ms). */
const heldBy = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  yield* Effect.sleep(20)
  delay.reset()
  yield* effect
  yield* Effect.sleep(5)
  delay.disable()
  return delay.max / 1e6
})

const timed = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const start = performance.now()
  yield* effect
  return performance.now() - start
})

/** Waits until the index is merged into one segment. Returns the number of segments before. */
const mergeIndex = Effect.fnUntraced(function* (folder: string) {
  const file = new Database(join(folder, "lectern.db"), { readonly: true })
  const parts = file.prepare("SELECT count(DISTINCT segid) FROM lectern_search_idx").pluck()
  const partsBefore = parts.get()
  while (parts.get() !== 1) yield* Effect.sleep("100 millis")
  file.close()
  return partsBefore
})

const measure = (folder: string) =>
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const spaces = yield* Spaces
    const changeRequests = yield* ChangeRequests
    const contents = yield* ChangeRequestContents
    const indexing = yield* SearchIndexing
    const searches = yield* Searches
    const allTexts = texts()
    const bareDatabase = bareIndex(join(folder, "bare.db"), allTexts)

    const organization = yield* organizations.create({ title: "Bench" })
    const { id: space } = yield* spaces.create(organization.id, {})
    const { id: changeRequest } = yield* changeRequests.create(space, {})
    for (let createdCount = 0; createdCount < size; createdCount += 50) {
      yield* contents.write(
        space,
        changeRequest,
        allTexts.slice(createdCount, createdCount + 50).map((text) => ({
          operation: "insert_page" as const,
          title: text.title,
          document: { markdown: markdown(text) }
        }))
      )
    }
    let merging = 0
    const mergeHeld = yield* heldBy(
      Effect.gen(function* () {
        merging = yield* timed(contents.merge(space, changeRequest))
      })
    )
    let indexed = 0
    const { id: copy } = yield* spaces.duplicate(space)
    const indexHeld = yield* heldBy(
      Effect.gen(function* () {
        indexed = yield* timed(indexing.catchUp(copy))
      })
    )
    let [puttingTogether, parts]: [number, unknown] = [0, 0]
    const mergedHeld = yield* heldBy(
      Effect.gen(function* () {
        puttingTogether = yield* timed(Effect.map(mergeIndex(folder), (partsBefore) => (parts = partsBefore)))
      })
    )
    const rows: Array<Record<string, string>> = []
    const search = (query: string, limit = 50) => Effect.map(searches.space(space, query, { limit }), JSON.stringify)
    const rowOf = Effect.fnUntraced(function* (name: string, query: (run: number) => string) {
      const first: Array<readonly [number, number]> = []
      const secondTimes: Array<readonly [number, number]> = []
      for (let run = 0; run < runs; run++) {
        const text = query(run)
        const mine = yield* timed(search(text))
        first.push([mine, yield* timed(Effect.sync(() => bareDatabase(`${text.trim()}*`)))])
        const repeated = yield* timed(search(text))
        secondTimes.push([repeated, yield* timed(Effect.sync(() => bareDatabase(`${text.trim()}*`)))])
      }
      const heldTimes = yield* heldBy(
        Effect.forEach(
          Array.from({ length: 20 }, (_, n) => query(runs + n)),
          (text) => search(text)
        )
      )
      const heldByAll = yield* heldBy(search(query(0), 1_000))
      const ratio = (times: typeof first) => median(times.map(([mine, bare]) => bare / mine)).toFixed(2)
      return {
        search: name,
        "lectern ms": `${median(first.map(([mine]) => mine)).toFixed(2)} first, ${median(secondTimes.map(([mine]) => mine)).toFixed(2)} again`,
        "bare ms": median(first.map(([, bare]) => bare)).toFixed(2),
        ratio: `${ratio(first)} first, ${ratio(secondTimes)} again`,
        "longest ms": heldTimes.toFixed(1),
        "longest ms, 1,000 results": heldByAll.toFixed(1)
      }
    })
    rows.push(yield* rowOf("rare word, first of a process", firstWord))
    for (const word of otherWords) {
      yield* search(word)
      bareDatabase(`${word}*`)
    }
    for (const [name, query] of Object.entries(queries)) rows.push(yield* rowOf(name, query))
    rows.push({
      search: "merge of 10,000 new pages",
      "lectern ms": merging.toFixed(0),
      "longest ms": mergeHeld.toFixed(1)
    })
    rows.push({ search: "index of a duplicate", "lectern ms": indexed.toFixed(0), "longest ms": indexHeld.toFixed(1) })
    rows.push({
      search: `index of ${String(parts)} parts put together`,
      "lectern ms": puttingTogether.toFixed(0),
      "longest ms": mergedHeld.toFixed(1)
    })
    return rows
  })

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  try {
    return await Effect.runPromise(
      measure(folder).pipe(
        Effect.provideService(CurrentActor, host),
        Effect.provide(
          Lectern.layer({ hasher: NodeHasher.layer }).pipe(
            Layer.provideMerge(SqliteStorage.layer({ filename: join(folder, "lectern.db") }))
          )
        )
      )
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
