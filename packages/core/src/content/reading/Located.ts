/** Content as it is found, before it is read: the revision, for whom it is, and what is computed into it. */
import type { KnownSources, Sources } from "../../computed/ComputedSources.ts"
import type { SpaceBlocks } from "../../integration/InstalledBlocks.ts"
import type { SpaceId, SpaceRow } from "../../space/Space.ts"
import type { SiteReader } from "../../space/SpacePolicy.ts"
import type { RevisionRow } from "../revisions/Revision.ts"

/** The content to read: a space's main content, or that of a change request or revision of it. */
export interface ContentTarget {
  readonly space: SpaceId
  /** An id or a number. */
  readonly changeRequest?: string
  readonly revision?: string
}

/** A revision in its space, and who reads it. */
export interface At {
  readonly space: SpaceRow
  readonly revision: RevisionRow
  /** For whom the conditions of pages hide what is not for it; undefined for who sees all. */
  readonly visitor?: SiteReader | undefined
  /** The blocks that integrations draw there now; undefined where they draw none. */
  readonly blocks?: SpaceBlocks | undefined
}

/** A revision that the actor may see. */
export interface Located extends At {
  /** Sources of its computed pages as they are now for the actor; undefined where no page is computed. */
  readonly sources?: KnownSources | undefined
}

/** The same, with what integrations have answered where that is read. */
export interface Answered extends At {
  readonly sources?: Sources | undefined
}

export interface ReadOptions {
  /** Shows the mutable Git metadata. Default: true. */
  readonly metadata?: boolean
  /** Builds computed pages. Otherwise the page that stands for them is shown. Default: true. */
  readonly computed?: boolean
}
