/** Sets of HTML elements, by their properties in the parser and the reader. */

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "))

export const isVoid = names("area base br col embed hr img input link meta param source track wbr")

/** Elements that are removed together with their content, which is not text of the page. */
export const withoutText = names(
  "applet canvas datalist head math noembed noframes noscript object portal script select slot style svg template textarea title"
)

/** Block elements, which separate paragraphs. */
export const isBlock = names(
  "address article aside audio blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr iframe legend li main menu nav ol optgroup p pre search section summary table tbody td tfoot th thead tr ul video"
)

/** Elements whose start tag closes an open paragraph. */
export const endsParagraph = names(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul"
)

interface Implied {
  /** Open elements that the start tag closes. */
  readonly ends: ReadonlySet<string>
  /** Elements at which the search for elements to close stops. */
  readonly within: ReadonlySet<string>
}

const implied = (ends: string, within: string): Implied => ({ ends: names(ends), within: names(within) })

const cells = implied("td th", "tr table")
const parts = implied("caption colgroup tbody thead tfoot tr td th", "table")

/** Implied end tags: the elements that a start tag closes, by the name of its element. */
export const impliedEnds: ReadonlyMap<string, Implied> = new Map([
  ["li", implied("li", "ul ol menu dir td th table")],
  ["dt", implied("dt dd", "dl td th table")],
  ["dd", implied("dt dd", "dl td th table")],
  ["rt", implied("rt rp rb", "ruby")],
  ["rp", implied("rt rp rb", "ruby")],
  ["tr", implied("caption colgroup tr td th", "tbody thead tfoot table")],
  ["td", cells],
  ["th", cells],
  ["tbody", parts],
  ["thead", parts],
  ["tfoot", parts]
])

/** Parts of tables. Their end tags may close cells. */
export const isTablePart = names("table caption colgroup tbody thead tfoot tr td th")

/** Elements at which an end tag stops searching for the element to close, unless it ends a part of a table. */
export const closesNothingBeyond = names("td th caption table")

/** Elements that are replaced by their content. */
export const isFrame = names("html head body")
