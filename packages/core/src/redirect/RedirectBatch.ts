/**
 * Writes many redirects of a site in one request. Each item succeeds or fails independently of the other items, in
 * order, and has a result.
 *
 * Limits: 1 to 500 items per request; the limits of redirects.
 */
import { Schema } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import {
  Destination,
  foldSource,
  maxRedirects,
  RedirectFlags,
  type RedirectRow,
  RedirectSourceInput as Source
} from "./Redirect.ts"

const { permanent, captureWildcard } = RedirectFlags

const RedirectItem = Schema.Union([
  /** Publishes the draft of this source and replaces the live redirect. */
  Schema.Struct({ source: Source, intent: Schema.Literal("publish") }),
  /** Creates or changes the redirect of this source; a null destination removes it. */
  Schema.Struct({
    source: Source,
    /** Default: live. */
    intent: Schema.optionalKey(Schema.Literals(["live", "draft"])),
    destination: Schema.NullOr(Destination),
    permanent,
    captureWildcard
  })
])
type RedirectItem = typeof RedirectItem.Type

export const RedirectBatch = Schema.Struct({
  /** Redirects to create, change or remove, in order. */
  redirects: Schema.Array(RedirectItem).check(Schema.isMinLength(1), Schema.isMaxLength(500))
})
export type RedirectBatch = typeof RedirectBatch.Type

const resultFields = { source: Schema.String, draft: Schema.Boolean }

export const RedirectResult = Schema.Union([
  Schema.Struct({ status: Schema.Literals(["created", "updated", "published"]), ...resultFields, id: Schema.String }),
  Schema.Struct({ status: Schema.Literal("deleted"), ...resultFields }),
  Schema.Struct({ status: Schema.Literal("error"), ...resultFields, error: Schema.String })
])
export type RedirectResult = typeof RedirectResult.Type

export const RedirectResults = Schema.Struct({ results: Schema.Array(RedirectResult) })
export interface RedirectResults extends Schema.Schema.Type<typeof RedirectResults> {}

/** The redirects of a site while a batch is applied to them. */
export class RedirectSet {
  readonly #rows: Map<string, RedirectRow>
  readonly #before: ReadonlyMap<string, RedirectRow>

  constructor(rows: ReadonlyArray<RedirectRow>) {
    this.#rows = new Map(rows.map((row) => [keyOf(row), row]))
    this.#before = new Map(rows.map((row) => [row.id, row]))
  }

  /**
   * Applies one item. `refusal`: returns the reason why a redirect conflicts with the other redirects. The last
   * parameter holds the site, the id for a new redirect, and the time of the request.
   */
  apply(
    item: RedirectItem,
    refusal: (row: RedirectRow, otherRows: Iterable<RedirectRow>) => string | undefined,
    created: Pick<RedirectRow, "site" | "id"> & { readonly time: Timestamp }
  ): RedirectResult {
    const { source } = item
    const draft = item.intent === "draft"
    if (item.intent === "publish") return this.#publish(source, created.time, refusal)
    const existing = this.#rows.get(keyOf({ source, draft }))
    const { destination } = item
    if (destination === null) {
      this.#rows.delete(keyOf({ source, draft }))
      return { status: "deleted", source, draft }
    }
    const flags = { permanent: item.permanent ?? false, captureWildcard: item.captureWildcard ?? false }
    const { site, id, time: at } = created
    const row: RedirectRow =
      existing === undefined
        ? { site, id, source, destination, draft, ...flags, createdAt: at }
        : { ...existing, source, destination, ...flags, updatedAt: at }
    const error =
      refusal(row, this.others(existing)) ??
      (existing === undefined && this.#rows.size >= maxRedirects
        ? `A site has at most ${maxRedirects} redirects`
        : undefined)
    if (error !== undefined) return { status: "error", source, draft, error }
    this.#rows.set(keyOf(row), row)
    return { status: existing === undefined ? "created" : "updated", source, draft, id: row.id }
  }

  others(row: RedirectRow | undefined): Iterable<RedirectRow> {
    return this.#rows.values().filter((candidate) => candidate !== row)
  }

  #publish(
    source: string,
    time: Timestamp,
    refusal: (row: RedirectRow, otherRows: Iterable<RedirectRow>) => string | undefined
  ): RedirectResult {
    const draft = this.#rows.get(keyOf({ source, draft: true }))
    if (draft === undefined) {
      return { status: "error", source, draft: true, error: `There is no draft of a redirect from ${source}` }
    }
    const liveRow = this.#rows.get(keyOf({ source, draft: false }))
    const row: RedirectRow =
      liveRow === undefined
        ? { ...draft, draft: false, updatedAt: time }
        : { ...draft, id: liveRow.id, createdAt: liveRow.createdAt, draft: false, updatedAt: time }
    const error = refusal(row, this.others(liveRow))
    if (error !== undefined) return { status: "error", source, draft: true, error }
    this.#rows.delete(keyOf(draft))
    this.#rows.set(keyOf(row), row)
    return { status: "published", source, draft: false, id: row.id }
  }

  /** Returns the changed rows. Removals come first, so that sources are free for new rows. */
  changes(): { readonly removed: ReadonlyArray<string>; readonly inserted: ReadonlyArray<RedirectRow> } {
    const rowsAfter = new Map(Array.from(this.#rows.values(), (row) => [row.id, row]))
    const insertedRows = [...rowsAfter.values()].filter((row) => this.#before.get(row.id) !== row)
    // A row that becomes live or a draft is inserted again, so that no two rows conflict in between.
    const reinsertedIds = insertedRows.filter(({ id }) => this.#before.has(id)).map(({ id }) => id)
    const deletedIds = [...this.#before.keys()].filter((id) => !rowsAfter.has(id))
    return { removed: [...deletedIds, ...reinsertedIds], inserted: insertedRows }
  }
}

const keyOf = ({ source, draft }: Pick<RedirectRow, "source" | "draft">) => `${foldSource(source)}\n${draft}`
