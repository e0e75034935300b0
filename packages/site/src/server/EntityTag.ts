/** Entity tags (RFC 9110, section 8.8.3) of rendered pages and files. */

/** Returns the tag of a body with this hash. */
export const entityTagOf = (hash: string): string => `"${hash.slice(0, 22)}"`

/** Returns the tag in `If-None-Match` that matches this tag, in any content encoding. */
export const matchingTag = (header: string | undefined, etag: string): string | undefined => {
  if (header === undefined) return undefined
  if (header.trim() === "*") return etag
  return header
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .find((tag) => tag.replace(/-(?:br|gzip)"$/, '"') === etag)
}
