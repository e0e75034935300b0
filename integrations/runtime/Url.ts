/** Tells whether a text is the URL of a website, as configurations have them. */
export const isWebUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? "")
