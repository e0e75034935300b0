import * as Slug from "../content/pages/Slug.ts"

/** Generates slugs that are unique regardless of case. */
export class UniqueSlugs {
  readonly usedSlugs = new Set<string>()
  /** Next suffix of each slug, so that many equal titles take one step each. */
  readonly #next = new Map<string, number>()

  /** Returns a unique slug, by default derived from the title. */
  free(title: string, preferred: string = Slug.fromTitle(title)): string {
    let n = this.#next.get(preferred) ?? 0
    let slug = n === 0 ? preferred : Slug.withSuffix(preferred, n)
    while (this.usedSlugs.has(Slug.foldCase(slug))) slug = Slug.withSuffix(preferred, ++n)
    this.#next.set(preferred, n + 1)
    this.usedSlugs.add(Slug.foldCase(slug))
    return slug
  }
}
