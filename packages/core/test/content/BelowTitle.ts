/** Returns the Markdown of a page without its title line. */
export const belowTitle = (markdown = ""): string => markdown.replace(/^# .*\n\n?/, "")
