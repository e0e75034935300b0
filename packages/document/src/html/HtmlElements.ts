/** Sets of HTML elements, by their properties in the parser and the reader. */

const elementNames = (text: string): ReadonlySet<string> => new Set(text.split(" "))

export const voidElements = elementNames("area base br col embed hr img input link meta param source track wbr")

/** Elements that are removed together with their content, which is not text of the page. */
export const removedElements = elementNames(
  "applet canvas datalist head math noembed noframes noscript object portal script select slot style svg template textarea title"
)

/** Block elements, which separate paragraphs. */
export const blockElements = elementNames(
  "address article aside audio blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr iframe legend li main menu nav ol optgroup p pre search section summary table tbody td tfoot th thead tr ul video"
)

/** Elements whose start tag closes an open paragraph. */
export const paragraphClosers = elementNames(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul"
)

export interface ImpliedEndTags {
  /** Open elements that the start tag closes. */
  readonly closes: ReadonlySet<string>
  /** Elements at which the search for elements to close stops. */
  readonly boundaries: ReadonlySet<string>
}

const impliedEndTags = (closes: string, boundaries: string): ImpliedEndTags => ({
  closes: elementNames(closes),
  boundaries: elementNames(boundaries)
})

const cellEndTags = impliedEndTags("td th", "tr table")
const tablePartEndTags = impliedEndTags("caption colgroup tbody thead tfoot tr td th", "table")

/** Implied end tags: the elements that a start tag closes, by the name of its element. */
export const impliedEndTagsByName: ReadonlyMap<string, ImpliedEndTags> = new Map([
  ["li", impliedEndTags("li", "ul ol menu dir td th table")],
  ["dt", impliedEndTags("dt dd", "dl td th table")],
  ["dd", impliedEndTags("dt dd", "dl td th table")],
  ["rt", impliedEndTags("rt rp rb", "ruby")],
  ["rp", impliedEndTags("rt rp rb", "ruby")],
  ["tr", impliedEndTags("caption colgroup tr td th", "tbody thead tfoot table")],
  ["td", cellEndTags],
  ["th", cellEndTags],
  ["tbody", tablePartEndTags],
  ["thead", tablePartEndTags],
  ["tfoot", tablePartEndTags]
])

/** Parts of tables. Their end tags may close cells. */
export const tablePartElements = elementNames("table caption colgroup tbody thead tfoot tr td th")

/** Elements at which an end tag stops searching for the element to close, unless it ends a part of a table. */
export const endTagBoundaries = elementNames("td th caption table")

/** Elements that are replaced by their content. */
export const documentElements = elementNames("html head body")
