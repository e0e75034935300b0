/** An organization with members of every level, three spaces, and a site with the first two. */
import { Sites } from "@lectern/core/site/Sites"
import { SiteSorting } from "@lectern/core/site/SiteSorting"
import { Spaces } from "@lectern/core/space/Spaces"
import { Effect } from "effect"
import { members } from "../Actors.ts"

export const siteWithMembers = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const spaces = yield* Spaces
  const create = (title: string) => Effect.map(spaces.create(org, { title }), ({ id }) => id)
  const [guide, reference, blog] = [yield* create("Guide"), yield* create("Reference"), yield* create("Blog")]
  const site = (yield* (yield* Sites).create(org, { title: "Docs", spaces: [guide, reference] })).id
  return { org, elsewhere, people, site, guide, reference, blog }
})

/** Returns the paths of the parts of a site in order: of site spaces, of sections, or of sections in groups. */
export const outlineOf = Effect.fnUntraced(function* (
  ...site: readonly [...Parameters<SiteSorting["Service"]["get"]>]
) {
  const { structure } = yield* (yield* SiteSorting).get(...site)
  return structure.map((part) =>
    part.object === "site-section-group" ? [part.title, part.sections.map(({ path }) => path)] : part.path
  )
})

/** Outcome of an operation that only administrators of the site may do, for the host and each member. */
export const administratorsOnly = {
  ok: "host admin",
  Forbidden: "create review edit comment read",
  SiteNotFound: "guest outsider"
}

/** Outcome of an operation that everyone who sees the site may do. */
export const readers = { ok: "host admin create review edit comment read", SiteNotFound: "guest outsider" }
