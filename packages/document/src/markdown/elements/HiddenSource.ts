/**
 * Comments that stand for source that is not displayed: statements, expressions, and tags without a block. The comment
 * contains the source, so that an export can restore it.
 *
 * A space after `<!--` marks the tag of a known element. Other tags are reported.
 */
const escapes: ReadonlyArray<readonly [text: string, escaped: string]> = [
  ["-->", "--&gt;"],
  ["|", "&#124;"]
]

/** `isKnown`: true for the tag of a known element. */
export const comment = (source: string, isKnown = false): string =>
  `<!--${isKnown ? " " : ""}${escapes.reduce((text, [from, to]) => text.replaceAll(from, to), source)}-->`

const pattern = /<!-- ?(\{[^]*?\}|<[^]*?>|\{\{[^]*?\}\}|(?:import|export)[ \t][^]*?)-->/g

/** Replaces such comments by their source. */
export const restore = (text: string): string =>
  text.includes("<!--")
    ? text.replace(pattern, (_, source: string) =>
        escapes.reduce((restored, [from, to]) => restored.replaceAll(to, from), source)
      )
    : text
