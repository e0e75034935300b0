/** Text that has to stand on one line: the ends of lines, with all white space around them, become a space. */

// It begins where white space does: a long run is looked at once, and not from each of its characters.
const lineEnds = /(?<!\s)\s*[\r\n]\s*/g

export const oneLine = (text: string): string => text.replace(lineEnds, " ")
