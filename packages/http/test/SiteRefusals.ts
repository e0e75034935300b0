/** A site to refuse things to, and what every refusal keeps: a clear answer, and the site as it was. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, has } from "./Harness.ts"
import { addSection, addSiteSpace, createSite, json, ofSite, publishSite, spaceOf } from "./SiteSteps.ts"

const kept = [
  "",
  "/structure",
  "/sections?limit=1000",
  "/section-groups?limit=1000",
  "/site-spaces?limit=1000",
  "/share-links",
  "/redirects",
  "/publishing/auth",
  "/adaptive-schema",
  "/customization",
  "/published"
]

/** A published site with two sections in a group and one beside it, of which the first has a variant. */
export const makeSite = Effect.gen(function* () {
  const spaces = yield* Effect.forEach(["One", "Two", "Three", "Four"], (title) => spaceOf(title, ["Page"]))
  const [one, two, three, four] = spaces.map(({ id }) => id) as [string, string, string, string]
  const { id } = yield* createSite([])
  const first = yield* addSection(id, one, "First")
  const second = yield* addSection(id, two, "Second")
  const third = yield* addSection(id, three, "Third")
  const variant = yield* addSiteSpace(id, four, first.id)
  const group = yield* ofSite(id, "POST", "/section-groups", { title: "Group", sections: [first.id, second.id] }).pipe(
    json(201)
  )
  const other = yield* ofSite(id, "POST", "/section-groups", { title: "Other" }).pipe(json(201))
  const { basename } = yield* publishSite(id)
  return {
    id,
    basename,
    base: `http://127.0.0.1:4000/sites/${basename}/`,
    one,
    two,
    three,
    four,
    first,
    second,
    third,
    variant,
    group: group.id as string,
    other: other.id as string
  }
})

export type Refusal = readonly [
  what: string,
  status: 400 | 404 | 409,
  method: "POST" | "PUT" | "PATCH",
  path: string,
  body: unknown,
  /** Path of the expected issue. */
  at?: string | undefined
]

export const everything = (site: string) =>
  Effect.forEach(kept, (path) => Effect.map(ofSite(site, "GET", path).pipe(has(200)), ({ text }) => text))

export const says = ({ status, text }: Answer, expected: number, what: string, at?: string) => {
  assert.strictEqual(status, expected, `${what}: ${text}`)
  const { error } = JSON.parse(text) as {
    error: { message: string; issues?: ReadonlyArray<{ path: string; message: string }> }
  }
  assert.match(error.message, /^[A-Z].{10,}/s, what)
  assert.isBelow(error.message.length, 2000, what)
  if (at !== undefined) assert.include(error.issues?.map(({ path }) => path) ?? [], at, `${what}: ${text}`)
  for (const { message } of error.issues ?? []) assert.match(message, /^[A-Z].{5,}/s, what)
}

/** Each is refused, and nothing is stored. */
export const areRefused = Effect.fnUntraced(function* (site: string, refusals: ReadonlyArray<Refusal>) {
  const before = yield* everything(site)
  for (const [what, status, method, path, body, at] of refusals) {
    says(yield* ofSite(site, method, path, body), status, `${what}: ${method} ${path}`, at)
  }
  assert.deepStrictEqual(yield* everything(site), before)
})
