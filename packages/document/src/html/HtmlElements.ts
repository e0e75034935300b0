/** Sets of elements of HTML, by what a parser and a reader need to know of them. */

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "))

export const isVoid = names("area base br col embed hr img input link meta param source track wbr")

/** Elements whose content is no text of the page: they go with all that is in them. */
export const withoutText = names(
  "applet canvas datalist head math noembed noframes noscript object portal script select slot style svg template textarea title"
)

/** Elements that stand by themselves, between paragraphs. */
export const isBlock = names(
  "address article aside audio blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr iframe legend li main menu nav ol optgroup p pre search section summary table tbody td tfoot th thead tr ul video"
)

/** Elements that end a paragraph which is still open. */
export const endsParagraph = names(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul"
)

interface Implied {
  /** Elements that end when the other begins. */
  readonly ends: ReadonlySet<string>
  /** Elements that are not looked beyond. */
  readonly within: ReadonlySet<string>
}

const implied = (ends: string, within: string): Implied => ({ ends: names(ends), within: names(within) })

const cells = implied("td th", "tr table")
const parts = implied("caption colgroup tbody thead tfoot tr td th", "table")

/** Elements that end where another begins, by the name of that. */
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

/** Parts of tables, whose end tags reach beyond cells. */
export const isTablePart = names("table caption colgroup tbody thead tfoot tr td th")

/** Elements that the end tag of what stands around them does not end. */
export const closesNothingBeyond = names("td th caption table")

/** Elements that are not kept themselves, whatever is in them. */
export const isFrame = names("html head body")
