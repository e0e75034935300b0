/** Converts text to one line. */

// A match starts at the first white space, so a long run is scanned once, and not from each of its characters.
const lineEnds = /(?<!\s)\s*[\r\n]\s*/g

/** Replaces line ends, with all white space around them, by a space. */
export const oneLine = (text: string): string => text.replace(lineEnds, " ")

// A single space is not matched. Replacing each of them caused a quarter of the garbage of a server under load.
const wideSpaces = / \s+|[^\S ]\s*/g

/** Collapses white space to single spaces, and removes it at both ends. */
export const collapseWhiteSpace = (text: string): string => text.replace(wideSpaces, " ").trim()
