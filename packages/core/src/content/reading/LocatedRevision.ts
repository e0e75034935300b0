/** A located content before it is read: the revision, its reader, and the sources of its computed pages. */
import type { CachedSources, Sources } from "../../computed/ComputedSources.ts"
import type { SpaceBlocks } from "../../integration/InstalledBlocks.ts"
import type { SpaceId, SpaceRow } from "../../space/Space.ts"
import type { SiteReader } from "../../space/SpacePolicy.ts"
import type { RevisionRow } from "../revisions/Revision.ts"

/** The content to read: main content of a space, content of a change request, or a revision. */
export interface ContentTarget {
  /** Id of the space. */
  readonly space: SpaceId
  /** Id or number of a change request, to read its content. Default: the main content. */
  readonly changeRequest?: string
  /** Id of a revision, to read earlier content. Default: the current one. */
  readonly revision?: string
}

/** A revision with its space and its reader. */
export interface RevisionContext {
  readonly space: SpaceRow
  readonly revision: RevisionRow
  /**
   * Visitor who reads the content, so that pages with an unmet condition are hidden. Undefined for an actor who sees
   * all pages.
   */
  readonly visitor?: SiteReader | undefined
  /** Blocks that integrations currently render in the space. Undefined without such blocks. */
  readonly blocks?: SpaceBlocks | undefined
}

/** Content from `content.locate`: a snapshot that the actor may read. */
export interface LocatedRevision extends RevisionContext {
  /** Current sources of the computed pages for the actor. Undefined if the content has no computed pages. */
  readonly sources?: CachedSources | undefined
}

/** A located revision, with the responses of integrations if computed pages are read. */
export interface RevisionWithSources extends RevisionContext {
  readonly sources?: Sources | undefined
}

/** Parts of the content to compute or to omit. */
export interface ReadOptions {
  /** Includes mutable Git metadata. Default: true. */
  readonly metadata?: boolean
  /** Builds computed pages. Otherwise their placeholder page is returned. Default: true. */
  readonly computed?: boolean
}
