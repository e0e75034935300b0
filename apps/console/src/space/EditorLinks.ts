/** Targets of links in the editor: the pages of the content that is edited. */
import type { ContentRef } from "@lectern/document/Document"
import type { EditorOptions } from "@lectern/editor/Editor"
import { client, type ContentPlace, queries } from "../api/Queries.ts"
import { findPage, matchingPages, type PlacedPage, titleOf } from "./PageTree.ts"

const maxTargets = 20

const targetOf = ({ page, parents }: PlacedPage) => ({
  ref: { kind: "page", page: page.id } as ContentRef,
  title: titleOf(page),
  path: parents.map(titleOf).join(" / ")
})

/** Returns the options of an editor that find and check links. */
export const editorLinks = (place: ContentPlace): Required<Pick<EditorOptions, "findLinks" | "describeLink">> => {
  const pages = () => client.ensureQueryData(queries.pages(place))
  return {
    findLinks: async (query) =>
      matchingPages(await pages(), query)
        .slice(0, maxTargets)
        .map(targetOf),
    describeLink: async (ref) => {
      // Only pages of this space are known here. All other targets count as present.
      if (ref.kind !== "page" || (ref.space !== undefined && ref.space !== place.space)) return { ref, title: "" }
      const found = findPage(await pages(), ref.page)
      return found === undefined ? null : targetOf(found)
    }
  }
}
