import * as Slug from "../content/pages/Slug.ts"

/** Slugs that differ from one another for a reader of URLs. */
export class FreeSlugs {
  readonly #taken = new Set<string>()
  /** The suffix to go on with, so that many of one title take one step each. */
  readonly #next = new Map<string, number>()

  /** Of the title, where no other is wanted. */
  free(title: string, wanted: string = Slug.fromTitle(title)): string {
    let n = this.#next.get(wanted) ?? 0
    let slug = n === 0 ? wanted : Slug.withSuffix(wanted, n)
    while (this.#taken.has(Slug.fold(slug))) slug = Slug.withSuffix(wanted, ++n)
    this.#next.set(wanted, n + 1)
    this.#taken.add(Slug.fold(slug))
    return slug
  }
}
