/** The Markdown of a page below its title, with which it begins. */
export const belowTitle = (markdown = ""): string => markdown.replace(/^# .*\n\n?/, "")
