/**
 * Creates the options for presenting content: URLs of files, which are permanent for visitors, and restrictions to the
 * information that visible pages contain.
 */
import { Effect } from "effect"
import { appUrls } from "../../identity/AppUrls.ts"
import { anonymousVisitor } from "../../publishing/Admission.ts"
import type { SiteReader } from "../../space/SpacePolicy.ts"
import type * as Presenter from "../ContentPresenter.ts"
import type { FileEntry } from "../files/File.ts"
import { fileUrls } from "../files/FileUrls.ts"
import { PageConditions, type VisibleContent } from "../pages/PageConditions.ts"
import type * as PageTree from "../pages/PageTree.ts"
import * as VisibleReferences from "../VisibleReferences.ts"
import type { RevisionWithSources, RevisionContext, ReadOptions } from "./LocatedRevision.ts"

/** Memory in bytes per page while a tree is computed: the page's entry, its node and its presented page. */
export const bytesToMakePage = 2_500

export const make = Effect.gen(function* () {
  const conditions = yield* PageConditions
  const files = yield* fileUrls
  const urls = yield* appUrls

  const presentation = Effect.fnUntraced(function* (
    space: string,
    revision: string,
    options?: ReadOptions,
    visitor?: SiteReader
  ) {
    const downloadURL = yield* files.ofRevision(space, revision)
    const metadata = (options?.metadata ?? true) && (visitor?.showsGit ?? true)
    return { urls, space, metadata, downloadURL } satisfies Presenter.Presentation
  })

  /** Returns the presentation for a response with files. File URLs of a visitor are permanent. */
  const withFiles = Effect.fnUntraced(function* (
    { space, revision, visitor }: RevisionContext,
    options: ReadOptions | undefined
  ) {
    const fullPresentation = yield* presentation(space.id, revision.id, options, visitor)
    // The content of a preview may never be published, so its file URLs expire.
    if (visitor === undefined || visitor.isPreview) return fullPresentation
    const urlVisitor = { ...visitor, organization: space.organization }
    const anonymousUrl = files.published({ ...urlVisitor, ...anonymousVisitor }, space.id)
    if (Object.keys(visitor.claims).length === 0) return { ...fullPresentation, downloadURL: anonymousUrl }
    const visibleContent = visitor.isVisibleToAll
      ? yield* conditions.visibleContent(revision.content, anonymousVisitor)
      : undefined
    const reachableFiles =
      visibleContent?.references === undefined ? undefined : (yield* visibleContent.references).files
    const permanentUrl = files.published(urlVisitor, space.id)
    return {
      ...fullPresentation,
      downloadURL: (file: FileEntry) =>
        reachableFiles?.has(file.id) === true ? anonymousUrl(file) : permanentUrl(file)
    }
  })

  /** Returns the references of these pages that a visitor can reach. They are read only if a page has variables. */
  const restrictionsOf = Effect.fnUntraced(function* (
    { sources }: RevisionWithSources,
    visibleContent: VisibleContent | undefined,
    /** Default: all pages of the content, and its own variables. */
    nodes?: ReadonlyArray<PageTree.PageNode>
  ) {
    if (visibleContent?.references === undefined) return {}
    const references =
      nodes?.some(hasVariables) === false ? VisibleReferences.noReferences : yield* visibleContent.references
    return { restrictions: { ...references, seesSpec: (spec: string) => sources?.stateOf(spec).state !== "missing" } }
  })

  return { presentation, withFiles, restrictionsOf }
})

const hasVariables = ({ page, pages }: PageTree.PageNode): boolean =>
  page.variables !== undefined || pages.some(hasVariables)
