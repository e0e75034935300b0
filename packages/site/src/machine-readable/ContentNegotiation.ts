/** Accepted and preferred media types of a client, from the `Accept` header of its request. */

interface MediaRange {
  readonly type: string
  /** 0 to 1. Default: 1. */
  readonly quality: number
}

const maxLength = 1_000

const rangesOf = (accept: string): ReadonlyArray<MediaRange> =>
  accept.split(",").map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith("q="))
    const value = quality === undefined ? 1 : Number(quality.slice(2))
    return { type, quality: value >= 0 && value <= 1 ? value : 0 }
  })

const markdownTypes: ReadonlySet<string> = new Set(["text/markdown", "text/x-markdown"])
const htmlTypes: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"])
const anyTypes: ReadonlySet<string> = new Set(["*/*", "text/*"])

/**
 * Returns true if the client prefers Markdown to HTML: by quality, and by order if qualities are equal. Clients that
 * accept any type at a higher quality get HTML.
 */
export const prefersMarkdown = (accept: string | undefined): boolean => {
  if (accept === undefined || accept.length > maxLength || !accept.includes("markdown")) return false
  const ranges = rangesOf(accept)
  const markdownIndex = ranges.findIndex(({ type, quality }) => markdownTypes.has(type) && quality > 0)
  if (markdownIndex < 0) return false
  const { quality } = ranges[markdownIndex]!
  return ranges.every(
    (other, i) =>
      (!htmlTypes.has(other.type) || other.quality < quality || (other.quality === quality && i > markdownIndex)) &&
      (!anyTypes.has(other.type) || other.quality <= quality)
  )
}

/** True if the media type is accepted. The most specific range decides. Without a header every type is accepted. */
export const accepts = (accept: string | undefined, type: string): boolean => {
  if (accept === undefined || accept.trim() === "") return true
  const ranges = rangesOf(accept.slice(0, maxLength))
  const matchingRanges = [type, `${type.split("/")[0]}/*`, "*/*"].flatMap(
    (range) => ranges.find((candidate) => candidate.type === range) ?? []
  )
  return (matchingRanges[0]?.quality ?? 0) > 0
}
