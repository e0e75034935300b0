/**
 * Reads with a realistic distribution: 2,000 URLs (20 spaces with 99 pages each) and 50 tokens. The k-th URL or token
 * is used 1/k as often as the first (Zipf). Equal in every run.
 */
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import type { SendRequest } from "./PageTree.ts"

const spaceCount = 20
const pagesOfSpace = 99
const tokenCount = 50
const readCount = 20_000

export interface Read {
  readonly path: string
  readonly token: string
}

export interface Mix {
  readonly tokens: ReadonlyArray<string>
  readonly spaces: ReadonlyArray<{ readonly id: string; readonly pages: ReadonlyArray<string> }>
  readonly all: ReadonlyArray<Read>
  /** Reads of 100 of the URLs only. */
  readonly hottest: ReadonlyArray<Read>
}

/** Returns a generator of numbers in [0, 1) that is deterministic for a seed (mulberry32). */
export const numbers = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

/** Returns a function that picks items of a list, the k-th 1/k as often as the first. */
const zipf = <A>(items: ReadonlyArray<A>, random: () => number) => {
  let sum = 0
  const upTo = items.map((_, i) => (sum += 1 / (i + 1)))
  return (): A => {
    const target = random() * sum
    return items[upTo.findIndex((bound) => target < bound)]!
  }
}

const sentence = "What is written here says what a page of a manual says, at some length, and links to nothing. "

export const makeMix = async (request: SendRequest, organization: string, file: string): Promise<Mix> => {
  const spaces = []
  for (let s = 0; s < spaceCount; s++) {
    const { id } = await request(`/v1/orgs/${organization}/spaces`, { title: `Manual ${s}` })
    const changeRequests = `/v1/spaces/${id}/change-requests`
    const { id: draft } = await request(changeRequests, {})
    for (let first = 0; first < pagesOfSpace; first += 33) {
      const changes = Array.from({ length: 33 }, (_, p) => ({
        operation: "insert_page",
        title: `Page ${first + p}`,
        document: { markdown: `## Part\n\n${sentence.repeat(10)}\n\n- one\n- two\n\n${sentence.repeat(10)}` }
      }))
      await request(`${changeRequests}/${draft}/content`, { changes })
    }
    await request(`${changeRequests}/${draft}/merge`, {})
    const { pages } = await request(`/v1/spaces/${id}/content/pages`)
    spaces.push({ id: id as string, pages: pages.map((page: any) => page.id as string) as Array<string> })
  }
  const { id: user } = await request("/v1/user")
  const lectern = await SqliteLectern.open({ file })
  const tokens: Array<string> = []
  for (let i = 0; i < tokenCount; i++) tokens.push((await lectern.tokens.create(user)).token)
  await lectern.close()

  const random = numbers(20_261_123)
  const paths = spaces.flatMap(({ id, pages }) => [
    `/v1/spaces/${id}`,
    ...pages.map((page) => `/v1/spaces/${id}/content/page/${page}`)
  ])
  // Shuffles the URLs, so that the frequent ones are random.
  for (let i = paths.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[paths[i], paths[j]] = [paths[j]!, paths[i]!]
  }
  const pickToken = zipf(tokens, random)
  const readsOf = (pagePaths: ReadonlyArray<string>) => {
    const pick = zipf(pagePaths, random)
    return Array.from({ length: readCount }, () => ({ path: pick(), token: pickToken() }))
  }
  return { tokens, spaces, all: readsOf(paths), hottest: readsOf(paths.slice(0, 100)) }
}
