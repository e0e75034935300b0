/** Reads the files of a revision: stored files, and files of its computed pages. */
import { Effect } from "effect"
import type { ComputedContent } from "../../computed/ComputedContents.ts"
import { Paging } from "../../paging/Paging.ts"
import * as Presenter from "../ContentPresenter.ts"
import type * as Resources from "../ContentResources.ts"
import type { Contents } from "../Contents.ts"
import { fileNotFound } from "../files/Downloads.ts"
import type { FileId } from "../files/File.ts"
import { PageConditions } from "../pages/PageConditions.ts"
import * as PresentationOptions from "./PresentationOptions.ts"
import * as RevisionContents from "./RevisionContents.ts"

export const make = Effect.gen(function* () {
  const conditions = yield* PageConditions
  const paging = yield* Paging
  const { withSources, computedContentOf } = yield* RevisionContents.make
  const { presentation, withFiles } = yield* PresentationOptions.make

  return {
    files: Effect.fn("Contents.files")(function* (located, { metadata, computed = true, ...params }) {
      const at = yield* withSources(located, { computed })
      const { space, revision, visitor } = at
      const visibleContent = visitor && (yield* conditions.visibleContent(revision.content, visitor))
      const content = yield* computedContentOf(at, visibleContent, { computed })
      const sorted = [...(yield* content.files), ...generatedFilesOf(content)].sort((a, b) => (a.id < b.id ? -1 : 1))
      const page = yield* paging.items(sorted, `files of ${space.id}`, (file) => file.id, params)
      // Signing a URL takes as long as reading a file's entry, so only the files in the response are signed.
      const filePresentation = yield* withFiles(at, { metadata: metadata ?? true })
      return {
        ...page,
        items: page.items.map((file) => ("object" in file ? file : Presenter.file(file, filePresentation)))
      }
    }),

    file: Effect.fn("Contents.file")(function* (located, id, options) {
      const at = yield* withSources(located, options)
      const { revision, visitor } = at
      const visibleContent = visitor && (yield* conditions.visibleContent(revision.content, visitor))
      const content = yield* computedContentOf(at, visibleContent, options)
      const file = yield* content.file(id)
      if (file !== undefined) return Presenter.file(file, yield* withFiles(at, options))
      const generatedFile = generatedFilesOf(content).find((one) => one.id === id)
      return generatedFile ?? (yield* fileNotFound(id))
    }),

    presentFile: (space, revision, file) =>
      Effect.map(presentation(space, revision), (filePresentation) => Presenter.file(file, filePresentation))
  } satisfies Pick<Contents["Service"], "files" | "file" | "presentFile">
})

export const generatedFilesOf = ({ generatedFiles }: ComputedContent): ReadonlyArray<Resources.File> =>
  Array.from(generatedFiles, ([id, file]) => ({ object: "file", id: id as FileId, ...file }))
