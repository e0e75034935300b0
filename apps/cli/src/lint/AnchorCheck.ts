/**
 * Finds links whose anchor names no heading. An anchor may also name the title of the page, which is at its top, or be
 * defined in the text in a way of other programs: by an attribute (`{ #id }`, `id="id"`), or in a file that another
 * program includes.
 */
import * as Anchors from "@lectern/document/Anchors"
import { decodePercent } from "@lectern/document/PercentEncoding"
import type { BrokenAnchor } from "@lectern/exchange/import/BrokenAnchors"
import * as LinkPositions from "./LinkPositions.ts"
import type { MarkdownFile } from "./MarkdownFile.ts"
import type { Problem } from "./Problems.ts"

/** `anchors`: anchors that name no heading. */
export const check = (
  anchors: ReadonlyArray<BrokenAnchor>,
  fileAt: (path: string) => MarkdownFile | undefined
): ReadonlyArray<Problem> =>
  anchors.flatMap(({ anchor, path, target, url }): ReadonlyArray<Problem> => {
    const [file, targetFile] = [fileAt(path), fileAt(target)]
    if (file === undefined || targetFile === undefined || mayDefine(targetFile, anchor)) return []
    const message = `The anchor of a link names no heading: ${url}`
    return LinkPositions.positionsOf(file, url).map((position) => ({
      path,
      ...position,
      rule: "broken-anchor",
      message
    }))
  })

const mayDefine = (file: MarkdownFile, anchor: string): boolean => {
  const { hasTitle, lowerText } = anchorTextOf(file)
  const name = decodePercent(anchor).toLowerCase()
  return (
    hasTitle(anchor) ||
    lowerText.includes("--8<--") ||
    [`="${name}"`, `='${name}'`, `{#${name}`, `{ #${name}`, `/*#${name}`].some((form) => lowerText.includes(form))
  )
}

interface AnchorText {
  readonly lowerText: string
  /** True if the anchor names a title of the page. */
  readonly hasTitle: (anchor: string) => boolean
}

const cache = new WeakMap<MarkdownFile, AnchorText>()

const anchorTextOf = (file: MarkdownFile): AnchorText => {
  let cached = cache.get(file)
  if (cached === undefined) {
    const titles = Array.from(file.text.matchAll(/^(?:#|title:)[ \t]+(.+)$/gm), ([, title]) => titleAnchor(title!))
    const finders = titles.map((title) => Anchors.anchorFinder([title]))
    cached = {
      lowerText: file.text.toLowerCase(),
      hasTitle: (anchor) => finders.some((find) => find(anchor) !== undefined)
    }
    cache.set(file, cached)
  }
  return cached
}

const titleAnchor = (title: string): string =>
  Anchors.serializeAnchor(
    Anchors.anchorAssigner()({ object: "block", type: "heading-1", key: "title", nodes: [] }, title)
  )
