/** Merges the findings of all pages of an import (see `PageFindings`). */
import type { Markup, MissingSpec } from "@lectern/core/exchange/ImportReport"
import type { PageFindings } from "./PageFindings.ts"
import { type MarkupKind, markupKinds } from "@lectern/core/exchange/ImportReport"

const maxLocations = 5
const maxPageLocations = 3
const maxSpecs = 1_000

export class ImportedFindings {
  readonly #markup = new Map<MarkupKind, { count: number; readonly locations: Array<Markup["places"][number]> }>()
  readonly #specs = new Map<string, { url: string | undefined; pages: number }>()

  add(path: string, { markup, specs }: PageFindings): void {
    for (const { count, kind, locations } of markup) {
      const finding = this.#markup.get(kind) ?? { count: 0, locations: [] }
      finding.count += count
      for (const location of locations.slice(0, Math.min(maxPageLocations, maxLocations - finding.locations.length)))
        finding.locations.push({ path, ...location })
      this.#markup.set(kind, finding)
    }
    for (const { spec, url } of specs) this.spec(spec, url)
  }

  /** Counts a page that references a spec. */
  spec(name: string, url: string | undefined): void {
    const specCount = this.#specs.get(name)
    if (specCount !== undefined) {
      specCount.pages++
      specCount.url ??= url
    } else if (this.#specs.size < maxSpecs) this.#specs.set(name, { url, pages: 1 })
  }

  get markup(): ReadonlyArray<Markup> {
    return markupKinds.flatMap((kind) => {
      const finding = this.#markup.get(kind)
      return finding === undefined ? [] : [{ kind, count: finding.count, places: finding.locations }]
    })
  }

  /** Specs that blocks reference, including specs that the organization has. */
  get specs(): ReadonlyArray<MissingSpec> {
    return Array.from(this.#specs, ([spec, { pages, url }]) => ({ spec, pages, ...(url !== undefined && { url }) }))
  }
}
