/** A handbook of the application: one space of Lectern, whose pages are added by change requests. */
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Contents } from "@lectern/core/content/Contents"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import * as Effect from "effect/Effect"

/** Returns the space of the handbook, which the first call creates. */
export const openHandbook = Effect.fn("openHandbook")(function* () {
  const organizations = yield* Organizations
  const spaces = yield* Spaces
  const [organization = yield* organizations.create({ title: "Acme" })] = (yield* organizations.list({})).items
  const [space = yield* spaces.create(organization.id, { title: "Handbook" })] = (yield* spaces.list(
    organization.id,
    {}
  )).items
  return space.id
})

/** Adds a page by a change request, and merges it. */
export const addPage = Effect.fn("addPage")(function* (handbook: SpaceId, title: string, markdown: string) {
  const changeRequests = yield* ChangeRequests
  const changeRequestContents = yield* ChangeRequestContents
  const draft = yield* changeRequests.create(handbook, { subject: `Add ${title}` })
  yield* changeRequestContents.write(handbook, draft.id, [{ operation: "insert_page", title, document: { markdown } }])
  return yield* changeRequestContents.merge(handbook, draft.id)
})

/** Returns the titles of all pages. */
export const pageTitles = Effect.fn("pageTitles")(function* (handbook: SpaceId) {
  const contents = yield* Contents
  const { pages } = yield* contents.pages(yield* contents.locate({ space: handbook }))
  return pages.map(({ title }) => title)
})
