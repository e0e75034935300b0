/**
 * Cache of an author's host, which imports one folder into one space after each change. It contains the findings in each
 * page, so the report of an import is complete although the import reads only changed files. It also contains the
 * targets of all links, so an import parses the unchanged pages whose links lead elsewhere, because a file was added,
 * renamed or removed.
 *
 * The report is for authors: each broken link is a problem with its line, and files that no page refers to are not
 * reported.
 *
 * Limit: memory for each link of the folder.
 */
import type { ContentRef } from "@lectern/document/Document"
import type { ImportProblem } from "./Folder.ts"
import type { FolderPlan } from "./FolderPlan.ts"
import type { FolderResolver } from "./FolderResolver.ts"
import type { KeyedPage } from "./KeyedPages.ts"
import type { LinkPosition } from "./LinkPosition.ts"
import type { PageFindings } from "./PageFindings.ts"

/** Findings in a page. */
export interface CachedPage {
  /** Id of the page. Undefined for reusable content. */
  readonly id: string | undefined
  /** Targets by URL, in the form of `targetOf`. */
  readonly targets: Map<string, string>
  readonly problems: Array<ImportProblem>
  findings?: PageFindings
  /** Positions of links to missing files, by URL. */
  brokenLinks: ReadonlyMap<string, LinkPosition | undefined>
}

/** The folder of an import, with the ids by which targets name its files. */
export interface ImportedFolder {
  readonly plan: FolderPlan
  readonly pages: ReadonlyArray<KeyedPage>
  /** Ids by path. */
  readonly fileIds: ReadonlyMap<string, string>
  readonly contentIds: ReadonlyMap<string, string>
}

export class ImportCache {
  /** Folder of the last import. Undefined before the first import. */
  folder: ImportedFolder | undefined
  readonly pages = new Map<string, CachedPage>()
  #paths = ""

  /** Starts the entry of a page that is read. */
  begin(path: string, id: string | undefined): CachedPage {
    const page: CachedPage = { id, targets: new Map(), problems: [], brokenLinks: new Map() }
    this.pages.set(path, page)
    return page
  }

  /**
   * Returns the pages with links that have another target than when they were read. `paths`: all paths that links may
   * lead to. Only a change of the paths changes targets.
   */
  outdated(paths: string, resolver: FolderResolver): ReadonlySet<string> {
    const outdated = new Set<string>()
    if (paths === this.#paths) return outdated
    this.#paths = paths
    for (const [path, { targets }] of this.pages) {
      for (const [url, target] of targets) {
        const ref = resolver.resolve(url, path)
        if (targetOf(ref, ref === undefined && resolver.isBroken(url, path)) === target) continue
        outdated.add(path)
        break
      }
    }
    return outdated
  }
}

/** Returns the target of a URL as text: a reference as JSON, `broken`, or the empty text for a URL that stays one. */
export const targetOf = (ref: ContentRef | undefined, isBroken: boolean): string =>
  ref === undefined ? (isBroken ? "broken" : "") : JSON.stringify(ref)
