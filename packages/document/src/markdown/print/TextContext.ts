/**
 * Context in which a text is written, as a set of bits: it decides which of its characters could be read as
 * something else.
 */

/** In a paragraph, heading or cell, and in all that stands there. */
export const phrasing = 1
/** In the destination, title or label of something, where no emphasis and no link begins. */
export const span = 2
/** Plain text in which an address is a link. */
export const address = 4
/** Between brackets. */
export const label = 8
/** In a heading that is one line. */
export const heading = 16
export const cell = 32
export const destination = 64
/** In a destination between `<` and `>`. */
export const enclosed = 128
export const title = 256
/** In the first word behind a fence, which is the language, and in what follows it. */
export const language = 512
export const info = 1024
/** Text that is read as CommonMark alone. */
export const plain = 2048

export const paragraph = phrasing | address

/** Text in which a line can't end. */
export const oneLine = heading | cell

export const inBrackets = (context: number): number => (context & ~address) | label
export const inDestination = (context: number): number => (context & ~address) | span | destination
export const inEnclosed = (context: number): number => (context & ~address) | span | enclosed
export const inTitle = (context: number): number => (context & ~address) | span | title
/** In the label of a link's definition, where it is used. */
export const inReference = (context: number): number => (context & ~(address | phrasing)) | span | label
/** In the label of a footnote, which is compared as it is written: in its definition, and where it is used. */
export const footnote = phrasing | span | label
export const inFootnoteMark = (context: number): number => (context & ~address) | footnote
