/** True if a text is an HTTP URL. */
export const isWebUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? "")
