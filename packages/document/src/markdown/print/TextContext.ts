/** Context of a text as a set of bits. It determines which characters could be parsed as syntax. */

/** In a paragraph, heading or cell, at any depth. */
export const phrasing = 1
/** In a destination, title or label, in which no emphasis and no link starts. */
export const span = 2
/** Plain text, in which an address becomes a link. */
export const address = 4
/** Text of a link or label, within brackets. */
export const label = 8
/** In a heading of one line. */
export const heading = 16
export const cell = 32
export const destination = 64
/** In a destination within `<…>`. */
export const enclosed = 128
export const title = 256
/** `language`: the first word after a code fence. `info`: the rest of the line. */
export const language = 512
export const info = 1024
/** Text that is parsed only as CommonMark. */
export const plain = 2048

export const paragraph = phrasing | address

/** Text that cannot contain a line end. */
export const oneLine = heading | cell

export const inBrackets = (context: number): number => (context & ~address) | label
export const inDestination = (context: number): number => (context & ~address) | span | destination
export const inEnclosed = (context: number): number => (context & ~address) | span | enclosed
export const inTitle = (context: number): number => (context & ~address) | span | title
/** Context of the label in a reference to a link definition. */
export const inReference = (context: number): number => (context & ~(address | phrasing)) | span | label
/** Context of a footnote label, in its definition and in references. Labels are compared by their source. */
export const footnote = phrasing | span | label
export const inFootnoteMark = (context: number): number => (context & ~address) | footnote
