/** The weights that a header of negotiation gives to what it names (`Accept`, `Accept-Encoding`). */

/** By their names in lower case; one that can't be read counts as 0, which says that it is not wanted. */
export const of = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(",").flatMap((part) => {
      const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
      const value = weight === undefined ? 1 : Number(weight)
      return name === "" ? [] : [[name, value >= 0 && value <= 1 ? value : 0] as const]
    })
  )
