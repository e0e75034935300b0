import * as Slug from "../content/pages/Slug.ts"

/** Generates slugs that are unique regardless of case. */
export class UniqueSlugs {
  readonly #taken = new Set<string>()
  /** Next suffix of each slug, so that many equal titles take one step each. */
  readonly #next = new Map<string, number>()

  /** Returns a unique slug, by default derived from the title. */
  free(title: string, wanted: string = Slug.fromTitle(title)): string {
    let n = this.#next.get(wanted) ?? 0
    let slug = n === 0 ? wanted : Slug.withSuffix(wanted, n)
    while (this.#taken.has(Slug.fold(slug))) slug = Slug.withSuffix(wanted, ++n)
    this.#next.set(wanted, n + 1)
    this.#taken.add(Slug.fold(slug))
    return slug
  }
}
