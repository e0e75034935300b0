/**
 * Concurrent edits of a space through the API: on main, by change requests that are merged at once, and in one change
 * request. The change request is then compared, updated, its conflicts are resolved, and it is merged, which must
 * succeed for any edits.
 *
 * A script is plain data, so that a failing one can be shrunk.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type Answer, Harness, has } from "../Harness.ts"
import { createSpace, insertPage, openChangeRequest } from "../Steps.ts"
import * as Constructs from "./Constructs.ts"
import * as DocumentEdit from "./DocumentEdit.ts"
import { Words, wordsIn } from "./Words.ts"

const operations = [
  "document",
  "document",
  "document",
  "document",
  "document",
  "markdown",
  "markdown",
  "insert",
  "move",
  "delete",
  "title",
  "slug",
  "variables",
  "reusable",
  "revert"
] as const

interface Edit {
  readonly operation: (typeof operations)[number]
  readonly page: number
  readonly into: number
  readonly at: number
  readonly text: Constructs.Text
  readonly edits: ReadonlyArray<DocumentEdit.DocumentEdit>
}

const edit: fc.Arbitrary<Edit> = fc.record({
  operation: fc.constantFrom(...operations),
  page: fc.nat(20),
  into: fc.nat(20),
  at: fc.nat(5),
  text: Constructs.text,
  edits: fc.array(DocumentEdit.documentEdit, { minLength: 1, maxLength: 3 })
})

const side = fc.array(edit, { maxLength: 4 })

const keeps = ["main", "ours", "both"] as const

export interface Script {
  readonly pages: ReadonlyArray<Constructs.Text>
  readonly rounds: ReadonlyArray<{ readonly main: ReadonlyArray<Edit>; readonly ours: ReadonlyArray<Edit> }>
  readonly keep: ReadonlyArray<(typeof keeps)[number]>
}

export const script: fc.Arbitrary<Script> = fc.record({
  pages: fc.array(Constructs.text, { minLength: 1, maxLength: 3 }),
  rounds: fc.array(fc.record({ main: side, ours: side }), { minLength: 1, maxLength: 2 }),
  keep: fc.array(fc.constantFrom(...keeps), { minLength: 1, maxLength: 5 })
})

interface PageInTree {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly pages?: ReadonlyArray<PageInTree>
}

interface Conflict {
  readonly id: string
  readonly page?: string
  readonly field?: string
  readonly block?: string
  readonly keep: ReadonlyArray<string>
}

const json = (answer: Answer) => JSON.parse(answer.text)

const allPages = (pages: ReadonlyArray<PageInTree>): ReadonlyArray<PageInTree> =>
  pages.flatMap((page) => [page, ...allPages(page.pages ?? [])])

/** Expected statuses of a change: success, or an error for a taken path, a cycle of pages, or the size. */
const accepted = [200, 400, 404, 409, 413]

const get = Effect.fnUntraced(function* (path: string) {
  const { call } = yield* Harness
  return json(yield* call("admin", "GET", path).pipe(has(200)))
})

const pagesOf = Effect.fnUntraced(function* (content: string) {
  const { pages } = yield* get(`${content}/pages`)
  return allPages(pages as ReadonlyArray<PageInTree>)
})

/** Words of a content: by page id, and all others under the key "none". */
const wordsOf = Effect.fnUntraced(function* (content: string) {
  const words = new Map<string, ReadonlySet<string>>()
  words.set("", wordsIn(yield* get(content)))
  for (const { id, type } of yield* pagesOf(content)) {
    if (type === "document") words.set(id, wordsIn(yield* get(`${content}/page/${id}?format=document`)))
  }
  return words
})

type WordsByPage = Effect.Success<ReturnType<typeof wordsOf>>

const together = (words: WordsByPage): ReadonlySet<string> => new Set([...words.values()].flatMap((set) => [...set]))

const changeOf = Effect.fnUntraced(function* (
  { at, edits, into, operation, page, text }: Edit,
  content: string,
  words: Words
) {
  const pages = yield* pagesOf(content)
  const target = pages[page % Math.max(1, pages.length)]
  const parent = pages[into % (pages.length + 1)]?.id ?? null
  const updated = { operation: "update_page", page: target?.id ?? "none" }
  if (operation === "insert" || target === undefined) {
    return { ...insertPage(words.next(), Constructs.markdownOf(text, words)), into: parent, at }
  }
  switch (operation) {
    case "document": {
      const { document } = yield* get(`${content}/page/${target.id}?format=document`)
      const edited = edits.reduce((current, edit) => DocumentEdit.edited(current, edit, words), document)
      return { ...updated, document: { document: edited } }
    }
    case "markdown": {
      const { markdown } = yield* get(`${content}/page/${target.id}?format=markdown`)
      const edited = edits.reduce((current, edit) => DocumentEdit.editedMarkdown(current, edit, words), markdown)
      return { ...updated, document: { markdown: edited } }
    }
    case "move":
      return { ...updated, into: parent, at }
    case "delete":
      return at === 0 ? { ...updated, description: words.next() } : { operation: "delete_page", page: target.id }
    case "title":
      return { ...updated, title: words.next(), emoji: at === 0 ? "" : "🎉", hidden: at % 2 === 0 }
    case "slug":
      return { ...updated, slug: `slug-${into % 3}` }
    case "variables":
      return { operation: "set_variables", variables: { [`name${into % 2}`]: at === 0 ? null : words.next() } }
    case "reusable":
      return {
        operation: "upsert_reusable_content",
        title: words.next(),
        document: { markdown: Constructs.markdownOf(text, words) }
      }
    case "revert":
      return { operation: "revert_page", page: target.id }
  }
})

/** Writes edits into a change request, one after the other, so each sees the earlier ones. */
const writeAll = Effect.fnUntraced(function* (path: string, edits: ReadonlyArray<Edit>, words: Words) {
  const { call } = yield* Harness
  for (const edit of edits) {
    const change = yield* changeOf(edit, `${path}/content`, words)
    const answer = yield* call("admin", "POST", `${path}/content`, { changes: [change] })
    assert.include(accepted, answer.status, `${edit.operation}: ${answer.text.slice(0, 500)}`)
  }
})

/** Reads the changes of the change request, in total and by page. */
const compared = Effect.fnUntraced(function* (path: string) {
  const { changes, conflicts } = yield* get(`${path}/changes`)
  const changed = new Set<string>(changes.flatMap((change: { page?: { id: string } }) => change.page?.id ?? []))
  for (const page of changed) yield* get(`${path}/changes/page/${page}`)
  return conflicts as ReadonlyArray<Conflict>
})

const settled = Effect.fnUntraced(function* (path: string, keep: Script["keep"]) {
  const { call } = yield* Harness
  const conflicts = yield* compared(path)
  for (const [n, { block, id, keep: allowed }] of conflicts.entries()) {
    const wanted = keep[n % keep.length]!
    const statuses: Array<number> = []
    // If a combination is invalid, the version of the other side can be kept.
    for (const side of [wanted, ...keeps.filter((side) => side !== wanted)]) {
      const { status } = yield* call("admin", "POST", `${path}/conflicts/${id}`, { keep: side })
      statuses.push(status)
      if (status !== 409) break
    }
    if (statuses.at(-1) === 404) {
      // Resolving another conflict removed the page of this one.
      const { conflicts: left } = yield* get(`${path}/changes`)
      assert.notInclude(
        (left as ReadonlyArray<Conflict>).map((conflict) => conflict.id),
        id
      )
      continue
    }
    assert.strictEqual(statuses.at(-1), 200, `${id} was answered ${statuses}`)
    // The conflict lists its options. Those of a block hold until another conflict is resolved.
    if (!allowed.includes(wanted)) assert.strictEqual(statuses[0], 409, `${id} took ${wanted}`)
    else if (n === 0 && block !== undefined) assert.strictEqual(statuses[0], 200, `${id} did not take ${wanted}`)
  }
})

/** Reads the page in every format, and its changes in the last revision. */
const readable = Effect.fnUntraced(function* (space: string, revision: string) {
  const { changes } = yield* get(`/v1/spaces/${space}/revisions/${revision}/changes`)
  for (const { page, type } of changes as ReadonlyArray<{ page?: { id: string }; type: string }>) {
    if (page !== undefined && type !== "page_deleted") {
      yield* get(`/v1/spaces/${space}/revisions/${revision}/changes/page/${page.id}`)
      yield* get(`/v1/spaces/${space}/content/page/${page.id}?format=markdown`)
      yield* get(`/v1/spaces/${space}/content/page/${page.id}?evaluated=true&format=document`)
    }
  }
})

export const run = Effect.fnUntraced(function* ({ keep, pages, rounds }: Script) {
  const { call } = yield* Harness
  const { id: space } = yield* createSpace()
  const content = `/v1/spaces/${space}/content`
  const publish = Effect.fnUntraced(function* (write: (path: string) => Effect.Effect<void, never, Harness>) {
    const { id } = yield* openChangeRequest(space)
    const path = `/v1/spaces/${space}/change-requests/${id}`
    yield* write(path)
    yield* compared(path)
    const { result, revision } = json(yield* call("admin", "POST", `${path}/merge`).pipe(has(200)))
    assert.strictEqual(result, "merge")
    yield* readable(space, revision)
  })
  const base = new Words("b")
  yield* publish((path) =>
    call("admin", "POST", `${path}/content`, {
      changes: pages.map((text) => insertPage(base.next(), Constructs.markdownOf(text, base)))
    }).pipe(has(200), Effect.asVoid)
  )
  const { id } = yield* openChangeRequest(space)
  const path = `/v1/spaces/${space}/change-requests/${id}`
  const [inMain, inOurs] = [new Words("m"), new Words("o")]
  let before = together(yield* wordsOf(content))
  for (const { main, ours } of rounds) {
    yield* writeAll(path, ours, inOurs)
    yield* publish((path) => writeAll(path, main, inMain))
    const wordsOfOurs = together(yield* wordsOf(`${path}/content`))
    const wordsOfMain = yield* wordsOf(content)
    const { result } = json(yield* call("admin", "POST", `${path}/update`).pipe(has(200)))
    const conflicts = yield* compared(path)
    assert.strictEqual(result, conflicts.length > 0 ? "conflicts" : "update")

    const kept = new Set([...together(yield* wordsOf(`${path}/content`)), ...wordsIn(conflicts)])
    // The version of a whole document is reported as a hash. That of main must be unchanged.
    for (const { field, page } of conflicts) {
      if (page !== undefined && (field === "document" || field === "page")) {
        for (const word of wordsOfMain.get(page) ?? []) kept.add(word)
      }
    }
    const after = together(wordsOfMain)
    for (const word of new Set([...after, ...wordsOfOurs])) {
      const isOwed = !before.has(word) || (after.has(word) && wordsOfOurs.has(word))
      if (isOwed) assert.isTrue(kept.has(word), `${word} is lost`)
    }
    before = after
  }
  yield* settled(path, keep)
  const ours = together(yield* wordsOf(`${path}/content`))
  const merged = json(yield* call("admin", "POST", `${path}/merge`).pipe(has(200)))
  assert.strictEqual(merged.result, "merge")
  assert.deepStrictEqual(together(yield* wordsOf(content)), ours)
  yield* readable(space, merged.revision)
})
