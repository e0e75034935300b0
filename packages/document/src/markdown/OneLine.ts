/** Text that has to stand on one line. */

// It begins where white space does: a long run is looked at once, and not from each of its characters.
const lineEnds = /(?<!\s)\s*[\r\n]\s*/g

/** The ends of lines, with all white space around them, become a space. */
export const oneLine = (text: string): string => text.replace(lineEnds, " ")

// A space that stands alone stays: to replace each of them made a quarter of what a server under load threw away.
const wideSpaces = / \s+|[^\S ]\s*/g

/** All white space becomes single spaces, and around the text there is none. */
export const collapsed = (text: string): string => text.replace(wideSpaces, " ").trim()
