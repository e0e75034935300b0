/**
 * Resolves references of links, inside and outside of the space, to targets that the actor may see. Other targets count
 * as missing. Needs a few queries for any number of links.
 */
import { Effect } from "effect"
import { Access } from "../access/Access.ts"
import type { ChangeRequestRow } from "../change-request/ChangeRequest.ts"
import { CollectionId, CollectionTable } from "../collection/Collection.ts"
import type { AuthorizedCollection } from "../collection/CollectionPolicy.ts"
import { ComputedContents } from "../computed/ComputedContents.ts"
import type { Content, ReusableContentEntry } from "../content/Content.ts"
import * as ContentReader from "../content/ContentReader.ts"
import type { ContentRef } from "@lectern/document/Document"
import type { FileEntry } from "../content/files/File.ts"
import { Objects } from "../content/store/Objects.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import type { RevisionRow } from "../content/revisions/Revision.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import * as Trie from "../content/store/Trie.ts"
import { OpenApiSpecTable } from "../openapi/OpenApiSpec.ts"
import type { AuthorizedSpec } from "../openapi/OpenApiSpecPolicy.ts"
import { SpaceId, SpaceTable } from "../space/Space.ts"
import type { AuthorizedSpace } from "../space/SpacePolicy.ts"
import { Storage } from "../storage/Storage.ts"
import { UserId } from "../user/User.ts"
import * as LinkAnchors from "./LinkAnchors.ts"

/** A content of a space that the actor may see. */
export interface LinkedContent {
  readonly authorized: AuthorizedSpace
  readonly revision: RevisionRow
  /** Change request of the content; undefined for main content. */
  readonly changeRequest?: ChangeRequestRow | undefined
}

export type LinkedTarget =
  | { readonly kind: "page"; readonly content: LinkedContent; readonly page: PageEntry; readonly anchor?: string }
  | { readonly kind: "file"; readonly content: LinkedContent; readonly file: FileEntry }
  | { readonly kind: "reusable-content"; readonly content: LinkedContent; readonly entry: ReusableContentEntry }
  | { readonly kind: "space"; readonly authorized: AuthorizedSpace }
  | { readonly kind: "collection"; readonly authorized: AuthorizedCollection }
  | { readonly kind: "user"; readonly user: UserId }
  | { readonly kind: "openapi"; readonly authorized: AuthorizedSpec }
  | { readonly kind: "url"; readonly url: string }

export const makeLinkedContents = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const objects = yield* Objects
  const revisions = yield* Revisions
  const computedContents = yield* ComputedContents
  const spaces = storage.repository(SpaceTable)
  const collections = storage.repository(CollectionTable)
  const specs = storage.repository(OpenApiSpecTable)

  const valuesOf = <V>(root: Content["pages"], ids: ReadonlyArray<string>) =>
    Effect.map(
      Trie.getMany<V>(objects, root, ids),
      (values) => new Map(ids.flatMap((id, i) => (values[i] === undefined ? [] : [[id, values[i]] as const])))
    )

  const authorizeSpaces = Effect.fnUntraced(function* (from: LinkedContent, ids: ReadonlyArray<string>) {
    const { space } = from.authorized
    const otherIds = ids.filter((id) => id !== space.id)
    const rows = yield* spaces.getMany(otherIds.map((id) => ({ id: SpaceId.make(id) })))
    const authorizedById = new Map<string, AuthorizedSpace>([[space.id, from.authorized]])
    for (const row of rows) {
      if (row === undefined || row.deletedAt !== undefined || row.removing === true) continue
      const authorized = yield* access.on(row)
      if (authorized !== undefined) authorizedById.set(row.id, { space: row, ...authorized })
    }
    return authorizedById
  })

  const authorizeCollections = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const authorizedById = new Map<string, AuthorizedCollection>()
    for (const row of yield* collections.getMany(ids.map((id) => ({ id: CollectionId.make(id) })))) {
      const authorized = row && (yield* access.on(row))
      if (authorized !== undefined) authorizedById.set(row!.id, { collection: row!, ...authorized })
    }
    return authorizedById
  })

  /** Returns the specs of the space's organization, by slug and by id. */
  const authorizeSpecs = Effect.fnUntraced(function* (
    { authorized: { space, member } }: LinkedContent,
    names: ReadonlyArray<string>
  ) {
    const specsByName = new Map<string, AuthorizedSpec>()
    if (names.length === 0) return specsByName
    const { organization } = space
    const rows = yield* specs.list({ where: [{ organization, slug: { in: names } }, { id: { in: names } }] })
    for (const spec of rows) {
      if (spec.organization !== organization) continue
      specsByName.set(spec.slug, { spec, member })
      specsByName.set(spec.id, { spec, member })
    }
    return specsByName
  })

  /** Returns the contents that references point into, by space. */
  const contentsOf = Effect.fnUntraced(function* (
    from: LinkedContent,
    authorized: ReadonlyMap<string, AuthorizedSpace>
  ) {
    const otherSpaces = [...authorized.values()].filter(({ space }) => space.id !== from.authorized.space.id)
    const rows = yield* revisions.getMany(otherSpaces.map(({ space }) => space.revision))
    const contentsBySpace = new Map<string, LinkedContent>([[from.authorized.space.id, from]])
    for (const [i, other] of otherSpaces.entries()) {
      const revision = rows[i]
      if (revision !== undefined) contentsBySpace.set(other.space.id, { authorized: other, revision })
    }
    return contentsBySpace
  })

  /** Returns generated pages of computed content, which have no entry. */
  const generatedPages = Effect.fnUntraced(function* (linkedContent: LinkedContent, ids: ReadonlyArray<string>) {
    const { content } = linkedContent.revision
    if (ids.length === 0 || (content.computed ?? []).length === 0) return []
    const knownSources = yield* computedContents.sources(linkedContent.authorized.space, content)
    const sources = yield* knownSources?.complete ?? Effect.succeed(knownSources)
    const computedReader = yield* computedContents.readerFor(content, ContentReader.make(objects, content), sources)
    return (yield* computedReader.pages(ids)).flatMap((page) => (page === undefined ? [] : [[page.id, page] as const]))
  })

  const pagesOf = Effect.fnUntraced(function* (linkedContent: LinkedContent, refs: ReadonlyArray<ContentRef>) {
    const ids = distinct(refs.map((ref) => ("page" in ref ? ref.page : undefined)))
    const storedPages = yield* valuesOf<PageEntry>(linkedContent.revision.content.pages, ids)
    const missingIds = ids.filter((id) => !storedPages.has(id))
    return new Map<string, PageEntry>([...storedPages, ...(yield* generatedPages(linkedContent, missingIds))])
  })

  /** Returns a function that resolves references within one content. */
  const resolverFor = Effect.fnUntraced(function* (linkedContent: LinkedContent, refs: ReadonlyArray<ContentRef>) {
    const { content } = linkedContent.revision
    const idsOf = (idOf: (ref: ContentRef) => string | undefined) => distinct(refs.map(idOf))
    const [pages, files, contents] = yield* Effect.all([
      pagesOf(linkedContent, refs),
      valuesOf<FileEntry>(
        content.files,
        idsOf((ref) => (ref.kind === "file" ? ref.file : undefined))
      ),
      valuesOf<ReusableContentEntry>(
        content.reusableContents,
        idsOf((ref) => (ref.kind === "reusable-content" ? ref.reusableContent : undefined))
      )
    ])
    const isComputed = (page: string) => pages.get(page)?.computed !== undefined
    const anchoredPages = refs.flatMap((ref) => (ref.kind === "anchor" && ref.page !== undefined ? [ref.page] : []))
    const anchors = yield* LinkAnchors.load(objects, content, anchoredPages, new Map(), isComputed)
    return (ref: ContentRef): LinkedTarget | undefined => {
      switch (ref.kind) {
        case "page":
        case "anchor": {
          const page = pages.get(ref.page ?? "")
          if (page === undefined) return undefined
          if (ref.kind === "page") return { kind: "page", content: linkedContent, page }
          const anchor = anchors.find(page.id, ref.anchor)
          return anchor === undefined ? undefined : { kind: "page", content: linkedContent, page, anchor }
        }
        case "file": {
          const file = files.get(ref.file)
          return file && { kind: "file", content: linkedContent, file }
        }
        case "reusable-content": {
          const entry = contents.get(ref.reusableContent)
          return entry && { kind: "reusable-content", content: linkedContent, entry }
        }
        default:
          return undefined
      }
    }
  })

  return {
    /** Returns the targets of references from a content; undefined for a reference without a target. */
    find: Effect.fnUntraced(function* (from: LinkedContent, refs: ReadonlyArray<ContentRef>) {
      if (refs.length === 0) return []
      const ownSpace = from.authorized.space.id
      const bySpace = Map.groupBy(refs.filter(isInContent), (ref) => ("space" in ref && ref.space) || ownSpace)
      const spaceIds = refs.flatMap((ref) => (refersToSpace(ref) ? ref.space! : []))
      const authorized = yield* authorizeSpaces(from, distinct([...bySpace.keys(), ...spaceIds]))
      const contents = yield* contentsOf(from, authorized)
      const inSpace = new Map<string, (ref: ContentRef) => LinkedTarget | undefined>()
      for (const [space, inner] of bySpace) {
        const content = contents.get(space)
        if (content !== undefined) inSpace.set(space, yield* resolverFor(content, inner))
      }
      const authorizedCollections = yield* authorizeCollections(
        distinct(refs.map((ref) => (ref.kind === "collection" ? ref.collection : undefined)))
      )
      const authorizedSpecs = yield* authorizeSpecs(
        from,
        distinct(refs.map((ref) => (ref.kind === "openapi" ? ref.spec : undefined)))
      )
      const { members } = from.authorized.member.facts
      return refs.map((ref): LinkedTarget | undefined => {
        if (isInContent(ref)) return inSpace.get(("space" in ref && ref.space) || ownSpace)?.(ref)
        if (refersToSpace(ref)) {
          const space = authorized.get(ref.space!)
          return space && { kind: "space", authorized: space }
        }
        switch (ref.kind) {
          case "collection": {
            const collection = authorizedCollections.get(ref.collection)
            return collection && { kind: "collection", authorized: collection }
          }
          case "openapi": {
            const spec = authorizedSpecs.get(ref.spec)
            return spec && { kind: "openapi", authorized: spec }
          }
          case "user":
            return members.has(ref.user) ? { kind: "user", user: UserId.make(ref.user) } : undefined
          case "url":
            return { kind: "url", url: ref.url }
          default:
            return undefined
        }
      })
    })
  }
})

const distinct = (ids: ReadonlyArray<string | undefined>): ReadonlyArray<string> => [
  ...new Set(ids.filter((id) => id !== undefined))
]

/** Returns true for a reference to a space, or to an anchor in a space without a page. */
const refersToSpace = (ref: ContentRef): ref is Extract<ContentRef, { readonly kind: "space" | "anchor" }> =>
  ref.kind === "space" || (ref.kind === "anchor" && ref.page === undefined && ref.space !== undefined)

const isInContent = (ref: ContentRef): boolean =>
  ref.kind === "page" ||
  ref.kind === "file" ||
  ref.kind === "reusable-content" ||
  (ref.kind === "anchor" && ref.page !== undefined)
