/**
 * Views of the parts of a site: a member sees those whose space it may see, a visitor those that are published
 * for it.
 *
 * What a renderer reads at every page view is kept in memory as it was answered: for those who see
 * the same of a site, until the site, a space on it, or what decides about access to it changes.
 *
 * Limits: the answers used last are kept, of 10,000 spaces in all.
 */
import { Context, Effect } from "effect"
import { TopNames } from "../content/pages/TopNames.ts"
import { levelOn } from "../access/Access.ts"
import type { Visitor } from "../access/Actor.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { isShown } from "../publishing/Admission.ts"
import { LruCache } from "../storage/LruCache.ts"
import type { Space, SpaceId, SpaceRow } from "../space/Space.ts"
import { presentSpace } from "../space/SpacePresenter.ts"
import type { StorageError } from "../storage/Storage.ts"
import { sitesUrl } from "./SiteAddress.ts"
import * as SitePaths from "./SitePaths.ts"
import { type SeenSite, seesWhole } from "./SitePolicy.ts"
import { type Presentation, previewedAt, reachedAt } from "./SitePresenter.ts"
import { type SpacesOfSite, SiteStore } from "./store/SiteStore.ts"
import { publishedSpaces, type ReadableSpaces } from "../visitor/AdmittedVisitors.ts"
import { wired } from "../wiring/Wired.ts"

/** Whom a site is shown to. */
export interface View {
  /** Opens the URLs of a site of share links. */
  readonly shareKey?: string | undefined
  /** As a visitor with these claims sees it; otherwise as whoever may work on it. */
  readonly as?: Pick<Visitor, "claims" | "kind"> | undefined
  /** Everything beside the site that an answer is made of, as text: another text makes another answer. */
  readonly beside?: string
}

const keptSiteSpaces = 10_000
/** Memory of an answer beside its site spaces, counted in site spaces. */
const answerSize = 10

/** An answer, and what it was made of. */
interface Made {
  readonly paths: SeenSite["paths"]
  readonly facts: SeenSite["member"]["facts"]
  readonly spaces: SpacesOfSite
  readonly beside: string | undefined
  readonly answer: object
}

export class SiteViews extends Context.Service<
  SiteViews,
  {
    /** Everything that a site is presented from; the structure to show may be newer than what is kept. */
    readonly of: (seen: SeenSite, view?: View) => Effect.Effect<Presentation, StorageError>
    /**
     * An answer about what a view shows: the one that was made last for those who see the same, while
     * nothing of it has changed. `make` may read what is kept with the site (see `SiteStore`).
     */
    readonly answer: <A extends object>(
      name: string,
      seen: SeenSite,
      view: View,
      make: (shown: Presentation) => Effect.Effect<A, StorageError>
    ) => Effect.Effect<A, StorageError>
  }
>()("@lectern/core/site/SiteViews") {
  static readonly layer = wired(
    SiteViews,
    Effect.gen(function* () {
      const store = yield* SiteStore
      const topNames = yield* TopNames
      const publicUrl = yield* PublicUrl
      const sites = yield* sitesUrl
      const made = new LruCache<string, Made>(keptSiteSpaces)

      const namesIn = Effect.fnUntraced(function* (
        { paths }: SeenSite,
        { rows }: SpacesOfSite,
        isVisible: SitePaths.Visible | undefined,
        { read }: ReadableSpaces
      ) {
        const names = new Map<SpaceId, ReadonlySet<string>>()
        for (const { space } of SitePaths.firsts(paths, isVisible)) {
          const row = rows.get(space)
          if (row !== undefined) names.set(space, yield* topNames.of(read(row) ?? row))
        }
        return names
      })

      /** The URL of the site as it is seen. */
      const baseOf = (seen: SeenSite, shareKey: string | undefined) =>
        seen.visitor?.preview === undefined
          ? reachedAt(seen, sites, shareKey)
          : previewedAt(seen.site, sites, seen.visitor.preview)

      const presentation = Effect.fnUntraced(function* (
        seen: SeenSite,
        spaces: SpacesOfSite,
        { shareKey, as = seen.visitor }: View
      ): Effect.fn.Return<Presentation, StorageError> {
        const published = readableIn(seen)
        const isVisible = as && ((entry: { readonly condition?: string }) => isShown(as.claims, entry))
        return {
          paths: seen.paths,
          base: baseOf(seen, shareKey),
          names: yield* namesIn(seen, spaces, isVisible, published),
          spaces: new SeenSpaces(spaces.rows, (stored) => {
            const { member } = seen
            const space = as === undefined ? stored : published.read(stored)
            if (space === undefined) return undefined
            const level = as === undefined ? levelOn(member, space) : "read"
            const visitor = as && { showsGit: seen.editLinks.has(space.id) }
            return level && presentSpace({ space, member, level, visitor }, publicUrl)
          }),
          ...(isVisible !== undefined && { isVisible }),
          isWhole: seesWhole(seen)
        }
      })

      return SiteViews.of({
        of: (seen, view = {}) => Effect.flatMap(store.spaces(seen.site), (spaces) => presentation(seen, spaces, view)),

        answer: Effect.fnUntraced(function* <A extends object>(
          name: string,
          seen: SeenSite,
          view: View,
          make: (shown: Presentation) => Effect.Effect<A, StorageError>
        ) {
          const { site, paths, level, member } = seen
          const spaces = yield* store.spaces(site)
          const as = view.as ?? seen.visitor
          const who = as === undefined ? `member ${member.user ?? ""}` : `visitor ${as.kind}`
          const key = `${name} ${site.id} ${level} ${who} ${readableIn(seen).key} ${baseOf(seen, view.shareKey) ?? ""}`
          const known = made.get(key)
          const isSame = known?.paths === paths && known.facts === member.facts && known.spaces === spaces
          if (isSame && known.beside === view.beside) return known.answer as A
          const answer = yield* make(yield* presentation(seen, spaces, view))
          // What a transaction sees may be rolled back: its `spaces` are never those that are kept.
          made.set(
            key,
            { paths, facts: member.facts, spaces, beside: view.beside, answer },
            answerSize + spaces.rows.size
          )
          return answer
        })
      })
    }),
    [SiteStore.layer, TopNames.layer]
  )
}

const readableIn = ({ spaces, site }: SeenSite): ReadableSpaces => spaces ?? publishedSpaces(site)

/** The spaces that someone sees, each presented when it is asked for. */
class SeenSpaces {
  readonly #rows: ReadonlyMap<SpaceId, SpaceRow>
  readonly #present: (space: SpaceRow) => Space | undefined
  readonly #presented = new Map<SpaceId, Space | undefined>()

  constructor(rows: ReadonlyMap<SpaceId, SpaceRow>, present: (space: SpaceRow) => Space | undefined) {
    this.#rows = rows
    this.#present = present
  }

  get(id: SpaceId): Space | undefined {
    if (!this.#presented.has(id)) {
      const row = this.#rows.get(id)
      this.#presented.set(id, row && this.#present(row))
    }
    return this.#presented.get(id)
  }

  has(id: SpaceId): boolean {
    return this.get(id) !== undefined
  }
}
