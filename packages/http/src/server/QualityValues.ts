/** Parses the quality values of `Accept` and `Accept-Encoding` (RFC 9110 §12.4.2). */

/** Returns weights by names in lower case. An invalid weight counts as 0, which means "not acceptable". */
export const qualityValuesOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(",").flatMap((part) => {
      const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
      const value = weight === undefined ? 1 : Number(weight)
      return name === "" ? [] : [[name, value >= 0 && value <= 1 ? value : 0] as const]
    })
  )
