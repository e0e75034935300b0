/** XML of the parts of a Word document: visits elements with their offsets, and replaces ranges of text. */
import { Parser } from "htmlparser2"

const namespaces =
  /\sxmlns:([A-Za-z][\w.-]*)\s*=\s*["'](?:http:\/\/schemas\.openxmlformats\.org\/wordprocessingml\/2006\/main|http:\/\/purl\.oclc\.org\/ooxml\/wordprocessingml\/main)["']/

type Attributes = { readonly [name: string]: string }

interface Handler {
  /**
   * Called at a start tag. Names and attributes lack the WordprocessingML prefix; names of other elements start with
   * `?`.
   */
  readonly open: (name: string, attributes: (name: string) => string | undefined, at: number) => void
  readonly close: (name: string, end: number) => void
}

/** Visits the elements of a part, in linear time. */
export const walk = (xml: string, { open, close }: Handler): void => {
  const prefix = `${namespaces.exec(xml)?.[1] ?? "w"}:`
  const own = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : `?${name}`)
  const parser = new Parser(
    {
      onopentag: (name, attributes: Attributes) =>
        open(own(name), (attribute) => attributes[prefix + attribute], parser.startIndex),
      onclosetag: (name) => close(own(name), parser.endIndex + 1)
    },
    { xmlMode: true, decodeEntities: true }
  )
  parser.end(xml)
}

interface Replacement {
  readonly from: number
  readonly to: number
  readonly by: string
}

/** Returns the XML with ranges replaced. `replacements` are in ascending order. */
export const replaced = (xml: string, replacements: ReadonlyArray<Replacement>): string => {
  let out = ""
  let at = 0
  for (const { from, to, by } of replacements) {
    out += xml.slice(at, from) + by
    at = to
  }
  return at === 0 ? xml : out + xml.slice(at)
}
