/**
 * Presents the locations of links, and their targets, as resources of the interface. Shared parts (a space, its
 * organization, a revision) are built once.
 */
import { Effect } from "effect"
import type { ChangeRequest } from "../change-request/ChangeRequest.ts"
import { makeChangeRequestPresenter } from "../change-request/ChangeRequestPresenter.ts"
import { presentCollection } from "../collection/CollectionPresenter.ts"
import * as DefinedTags from "../content/tags/DefinedTags.ts"
import * as Presenter from "../content/ContentPresenter.ts"
import * as ContentReader from "../content/ContentReader.ts"
import type * as Resources from "../content/ContentResources.ts"
import { Contents } from "../content/Contents.ts"
import { Objects } from "../content/store/Objects.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import { appUrls } from "../identity/AppUrls.ts"
import { presentSpec } from "../openapi/OpenApiSpecPolicy.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { presentSpace } from "../space/SpacePresenter.ts"
import type { AuthorizedSpace } from "../space/SpacePolicy.ts"
import { Users } from "../user/Users.ts"
import type { ContentLocation, FileLocation } from "./Link.ts"
import type { LinkedTarget, LinkedContent } from "./LinkedContents.ts"

/** A link target, with the key of the block that contains the link. */
export type LocatedTarget = LinkedTarget & { readonly node?: string }

type InSpace = Omit<FileLocation, "kind" | "file">

export const makeLinkLocations = Effect.gen(function* () {
  const organizations = yield* Organizations
  const changeRequests = yield* makeChangeRequestPresenter
  const contents = yield* Contents
  const objects = yield* Objects
  const users = yield* Users
  const urls = yield* appUrls
  const { publicUrl } = urls
  const tagsOf = yield* DefinedTags.make
  const specOf = yield* presentSpec

  const organizationsOf = Effect.fnUntraced(function* (ids: ReadonlySet<OrganizationId>) {
    const organizationsById = new Map<OrganizationId, Organization>()
    for (const id of ids) organizationsById.set(id, yield* organizations.get(id))
    return organizationsById
  })

  /** Returns a revision without its pages and files. */
  const revisionOutline = (
    { authorized, revision }: LinkedContent,
    mergedFrom: ChangeRequest | undefined
  ): Resources.Revision => ({
    object: "revision",
    id: revision.id,
    parents: revision.parents,
    type: revision.type,
    pages: [],
    files: [],
    reusableContents: [],
    tags: [],
    variables: {},
    createdAt: revision.createdAt,
    ...(revision.git !== undefined && { git: revision.git }),
    ...(mergedFrom !== undefined && { mergedFrom }),
    urls: { app: `${publicUrl}/v1/spaces/${authorized.space.id}/revisions/${revision.id}` }
  })

  const versionOf = Effect.fnUntraced(function* (content: LinkedContent) {
    const { authorized, revision, changeRequest: row } = content
    if (row === undefined) {
      const mergedFrom = yield* contents.mergedFrom({ space: authorized.space, revision })
      return { type: "revision" as const, revision: revisionOutline(content, mergedFrom) }
    }
    const changeRequest = yield* changeRequests.presentOne(row, authorized.space)
    return { type: "changeRequest" as const, changeRequest }
  })

  /** Returns a function for the path of a page's ancestors. Ancestors are read level by level. */
  const ancestorPaths = Effect.fnUntraced(function* ({ revision }: LinkedContent, pages: ReadonlyArray<PageEntry>) {
    const reader = ContentReader.make(objects, revision.content)
    const ancestorsById = new Map<string, PageEntry>()
    const parentsOf = (level: ReadonlyArray<PageEntry>) => [
      ...new Set(level.flatMap(({ parent }) => (parent === null || ancestorsById.has(parent) ? [] : parent)))
    ]
    for (let next = parentsOf(pages); next.length > 0;) {
      const level = (yield* reader.pages(next)).filter((page) => page !== undefined)
      for (const page of level) ancestorsById.set(page.id, page)
      next = parentsOf(level)
    }
    return ({ parent }: PageEntry): string => {
      const slugs: Array<string> = []
      for (
        let page = ancestorsById.get(parent ?? "");
        page !== undefined;
        page = ancestorsById.get(page.parent ?? "")
      ) {
        slugs.push(page.slug)
      }
      return slugs.reverse().join("/")
    }
  })

  return {
    /** Returns the resources in the order of the input. */
    present: Effect.fnUntraced(function* (located: ReadonlyArray<LocatedTarget>) {
      const inContents = located.flatMap((each) => ("content" in each ? each.content : []))
      const byOrganization = yield* organizationsOf(new Set(located.flatMap(organizationOf)))
      const spaces = new Map<string, ReturnType<typeof presentSpace>>()
      const spaceOf = (authorized: AuthorizedSpace) => {
        const space = spaces.get(authorized.space.id) ?? presentSpace(authorized, urls)
        spaces.set(space.id, space)
        return space
      }
      const contextByContent = new Map<LinkedContent, InSpace & { readonly pathAbove: (page: PageEntry) => string }>()
      for (const content of new Set(inContents)) {
        const pages = located.flatMap((each) => (each.kind === "page" && each.content === content ? each.page : []))
        contextByContent.set(content, {
          organization: byOrganization.get(content.authorized.space.organization)!,
          space: spaceOf(content.authorized),
          versionContext: yield* versionOf(content),
          pathAbove: yield* ancestorPaths(content, pages)
        })
      }
      const userResources = yield* users.present(located.flatMap((each) => (each.kind === "user" ? each.user : [])))

      const present = Effect.fnUntraced(function* (each: LocatedTarget) {
        switch (each.kind) {
          case "url":
            return { kind: each.kind, url: each.url }
          case "user":
            return { kind: each.kind, user: userResources.get(each.user)! }
          case "space": {
            const organization = byOrganization.get(each.authorized.space.organization)!
            return { kind: each.kind, organization, space: spaceOf(each.authorized) }
          }
          case "collection": {
            const organization = byOrganization.get(each.authorized.collection.organization)!
            return { kind: each.kind, organization, collection: presentCollection(each.authorized, publicUrl) }
          }
          case "openapi": {
            const organization = byOrganization.get(each.authorized.spec.organization)!
            return { kind: each.kind, organization, openAPISpec: specOf(each.authorized) }
          }
        }
        const { pathAbove, ...inSpace } = contextByContent.get(each.content)!
        if (each.kind === "file") {
          const source = { space: each.content.authorized.space, revision: each.content.revision }
          return {
            kind: each.kind,
            ...inSpace,
            file: yield* contents.presentFile(source.space.id, source.revision.id, each.file)
          }
        }
        if (each.kind === "reusable-content") {
          const { id, title, git } = each.entry
          return {
            kind: each.kind,
            ...inSpace,
            reusableContent: { object: "reusable-content" as const, id, title, ...(git && { git }) }
          }
        }
        const node = { page: each.page, path: each.page.slug, pages: [] }
        const tags = yield* tagsOf(each.content.revision.content)
        const presentation = {
          urls,
          space: each.content.authorized.space.id,
          metadata: true,
          downloadURL: () => "",
          tags
        }
        return {
          kind: each.kind,
          ...inSpace,
          page: yield* Presenter.page(node, presentation, pathAbove(each.page)),
          ...(each.anchor !== undefined && {
            internalLocation: { type: "anchor" as const, anchor: each.anchor }
          }),
          ...(each.node !== undefined &&
            each.node !== "" && { internalLocation: { type: "node" as const, node: each.node } })
        }
      })
      const locations: Array<ContentLocation> = []
      for (const [i, each] of located.entries()) {
        locations.push(yield* present(each))
        if (i % slice === slice - 1) yield* Effect.yieldNow
      }
      return locations
    })
  }
})

/** Number of locations to build before yielding. */
const slice = 200

const organizationOf = (each: LocatedTarget): ReadonlyArray<OrganizationId> => {
  if ("content" in each) return [each.content.authorized.space.organization]
  switch (each.kind) {
    case "space":
      return [each.authorized.space.organization]
    case "collection":
      return [each.authorized.collection.organization]
    case "openapi":
      return [each.authorized.spec.organization]
    default:
      return []
  }
}
