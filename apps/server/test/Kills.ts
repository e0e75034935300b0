/**
 * Acknowledged writes are there, whatever happens to the process: a server is killed at a random moment while
 * several connections write, and started again on the same data.
 *
 * The choices of a run come from its seed; its timing is the machine's.
 */
import { join } from "node:path"
import { zstdDecompressSync } from "node:zlib"
import Database from "better-sqlite3"
import { assert } from "@effect/vitest"
import { belowTitle } from "../../../packages/core/test/content/BelowTitle.ts"
import { seed } from "../../../packages/core/test/Runs.ts"
import { begunServer, type Server, serve } from "./LecternProcess.ts"

const connections = 8

/** Mulberry32. */
const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Draft {
  readonly id: string
  readonly pages: Array<{ readonly id: string; readonly text: string }>
}

/** One connection, that writes to a space of its own and remembers what was acknowledged. */
class Writer {
  readonly space: string
  readonly random: () => number
  acknowledged = 0
  title: string
  /** Writes without an answer: each may be there or not. */
  pendingTitle: string | undefined
  pendingMerge: string | undefined
  readonly drafts: Array<Draft> = []
  readonly merged: Array<Draft> = []
  readonly #server: Server

  constructor(server: Server, space: string, title: string, random: () => number) {
    this.#server = server
    this.space = space
    this.title = title
    this.random = random
  }

  /** Writes until the server is gone. */
  async run(acknowledge: () => void): Promise<void> {
    for (;;) {
      try {
        await this.#write()
      } catch (error) {
        if (error instanceof TypeError) return
        throw error
      }
      this.acknowledged++
      acknowledge()
    }
  }

  async #call(method: string, path: string, status: number, body?: unknown): Promise<any> {
    const answer = await this.#server.call(method, `/v1/spaces/${this.space}${path}`, body)
    assert.strictEqual(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async #write(): Promise<void> {
    const choice = this.random()
    const draft = this.drafts.at(-1)
    if (choice < 0.15 || (choice >= 0.7 && draft === undefined)) {
      const { id } = await this.#call("POST", "/change-requests", 201, { subject: `Change ${this.acknowledged}` })
      this.drafts.push({ id, pages: [] })
    } else if (choice < 0.7 || draft === undefined) {
      this.pendingTitle = `Title ${this.acknowledged}`
      await this.#call("PATCH", "", 200, { title: this.pendingTitle })
      this.title = this.pendingTitle
      this.pendingTitle = undefined
    } else if (choice < 0.9 || draft.pages.length === 0) {
      const text = `Written as number ${this.acknowledged}.`
      const { changes } = await this.#call("POST", `/change-requests/${draft.id}/content?compat=false`, 200, {
        changes: [{ operation: "insert_page", title: `Page ${this.acknowledged}`, document: { markdown: text } }]
      })
      draft.pages.push({ id: changes[0].page.id ?? changes[0].page, text })
    } else {
      this.pendingMerge = draft.id
      const { result } = await this.#call("POST", `/change-requests/${draft.id}/merge`, 200)
      assert.strictEqual(result, "merge")
      this.pendingMerge = undefined
      this.drafts.pop()
      this.merged.push(draft)
    }
  }

  /** Looks for all that was acknowledged. */
  async verify(server: Server): Promise<void> {
    const get = async (path: string) => {
      const { status, body } = await server.call("GET", `/v1/spaces/${this.space}${path}`)
      assert.strictEqual(status, 200, `${path} is gone`)
      return body
    }
    const { title } = await get("")
    assert.include([this.title, this.pendingTitle], title)
    for (const { id, pages } of this.drafts) {
      const { status } = await get(`/change-requests/${id}`)
      if (status === "merged") assert.strictEqual(id, this.pendingMerge)
      else assert.strictEqual(status, "draft")
      for (const page of pages) {
        const { markdown } = await get(`/change-requests/${id}/content/page/${page.id}`)
        assert.strictEqual(belowTitle(markdown).trim(), page.text)
      }
    }
    // The last of them first, before anybody has looked for others.
    for (const { id, pages } of this.merged.toReversed()) {
      assert.strictEqual((await get(`/change-requests/${id}`)).status, "merged")
      for (const page of pages) {
        assert.strictEqual(belowTitle((await get(`/content/page/${page.id}`)).markdown).trim(), page.text)
        const found = await get(`/search?limit=1000&query=${/\d+/.exec(page.text)![0]}`)
        assert.include(
          found.items.map(({ id }: { readonly id: string }) => id),
          page.id
        )
      }
    }
  }
}

const inParallel = <A, B>(
  items: ReadonlyArray<A>,
  run: (item: A, i: number) => Promise<B>
): Promise<ReadonlyArray<B>> => Promise.all(items.map(run))

const isHash = (value: unknown): value is string => typeof value === "string" && /^[\w-]{43}$/.test(value)

/** Every object that a revision reaches must exist, and every blob: asked of the file itself. */
const verifyFile = (filename: string, seen: Set<string>): number => {
  const database = new Database(filename, { readonly: true })
  try {
    assert.deepStrictEqual(database.pragma("integrity_check"), [{ integrity_check: "ok" }])
    const objects = database.prepare("SELECT value FROM lectern_object WHERE hash = ?").pluck()
    const blobs = database.prepare("SELECT 1 FROM lectern_blob WHERE hash = ?").pluck()
    const revisions = database.prepare('SELECT doc FROM "t_revision"').pluck().all() as ReadonlyArray<string>
    const open: Array<string> = []
    for (const doc of revisions) {
      const { content, conflicts } = JSON.parse(doc)
      open.push(...Object.values(content).filter(isHash))
      if (conflicts !== undefined) open.push(conflicts)
    }
    for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
      if (seen.has(hash)) continue
      seen.add(hash)
      const value = objects.get(hash) as string | Buffer | undefined
      assert.isDefined(value, `The object ${hash} is missing`)
      const { nodes, entries } = JSON.parse(typeof value === "object" ? zstdDecompressSync(value).toString() : value!)
      if (Array.isArray(nodes)) open.push(...nodes.filter(isHash))
      for (const [, value] of Array.isArray(entries) ? entries : []) {
        if (isHash(value?.document)) open.push(value.document)
        if (isHash(value?.blob)) assert.strictEqual(blobs.get(value.blob), 1, `The blob ${value.blob} is missing`)
      }
    }
    return revisions.length
  } finally {
    database.close()
  }
}

/** Kills a server as often as that, each time after at least so many acknowledged writes. */
export const losesNothing = async (rounds: number, leastWrites: number): Promise<void> => {
  const random = randomFrom(seed)
  let server = await begunServer()
  const { token } = server
  const data: string = server.ready.data
  const organization: string = server.ready.organization.id
  const all: Array<Writer> = []
  const seen = new Set<string>()

  for (let round = 1; round <= rounds; round++) {
    const current = server
    const writers = await inParallel(Array.from({ length: connections }), async (_, i) => {
      const title = `Round ${round}, connection ${i}`
      const { status, body } = await current.call("POST", `/v1/orgs/${organization}/spaces`, { title })
      assert.strictEqual(status, 201)
      return new Writer(current, body.id, title, randomFrom(Math.floor(random() * 2 ** 32)))
    })
    const killAt = leastWrites + Math.floor(random() * 200)
    let acknowledged = 0
    const running = inParallel(writers, (writer) =>
      writer.run(() => {
        acknowledged++
        // Requests of the other connections are at some point of their way at this moment.
        if (acknowledged === killAt) current.child.kill("SIGKILL")
      })
    )
    await running
    await current.finished
    assert.isAtLeast(acknowledged, leastWrites)
    all.push(...writers)

    server = await serve(data, { token })
    const restarted = server
    await inParallel(writers, (writer) => writer.verify(restarted))
    const revisions = verifyFile(join(data, "lectern.db"), seen)
    console.info(`round ${round}: ${acknowledged} writes acknowledged, ${revisions} revisions in all`)
  }
  const last = server
  await inParallel(all, (writer) => writer.verify(last))
  verifyFile(join(data, "lectern.db"), new Set())
  assert.strictEqual((await last.signal("SIGTERM")).code, 0)
}
