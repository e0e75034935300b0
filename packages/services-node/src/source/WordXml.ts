/** XML of the parts of a Word document: visits elements with their offsets, and replaces ranges of text. */
import { Parser } from "htmlparser2"

const namespaces =
  /\sxmlns:([A-Za-z][\w.-]*)\s*=\s*["'](?:http:\/\/schemas\.openxmlformats\.org\/wordprocessingml\/2006\/main|http:\/\/purl\.oclc\.org\/ooxml\/wordprocessingml\/main)["']/

const mathNamespaces =
  /\sxmlns:([A-Za-z][\w.-]*)\s*=\s*["'](?:http:\/\/schemas\.openxmlformats\.org\/officeDocument\/2006\/math|http:\/\/purl\.oclc\.org\/ooxml\/officeDocument\/math)["']/

type Attributes = { readonly [name: string]: string }

interface Handler {
  /**
   * Called at a start tag, with its offset. Names and attributes lack the WordprocessingML prefix. Names of formula
   * elements start with `m:`, and names of other elements with `?`. Attributes have the namespace of their element.
   */
  readonly open: (name: string, attributes: (name: string) => string | undefined, at: number) => void
  readonly close: (name: string, end: number) => void
  readonly text?: (text: string) => void
}

/** Returns the prefix of WordprocessingML in a part, including the colon. */
export const prefixOf = (xml: string): string => `${namespaces.exec(xml)?.[1] ?? "w"}:`

/** Visits the elements of a part, in linear time. */
export const parseXml = (xml: string, { open, close, text }: Handler): void => {
  const prefix = prefixOf(xml)
  const math = `${mathNamespaces.exec(xml)?.[1] ?? "m"}:`
  const localName = (name: string) =>
    name.startsWith(prefix)
      ? name.slice(prefix.length)
      : name.startsWith(math)
        ? `m:${name.slice(math.length)}`
        : `?${name}`
  const parser = new Parser(
    {
      onopentag: (name, attributes: Attributes) =>
        open(
          localName(name),
          (attribute) => attributes[(name.startsWith(math) ? math : prefix) + attribute],
          parser.startIndex
        ),
      ...(text !== undefined && { ontext: text }),
      onclosetag: (name) => close(localName(name), parser.endIndex + 1)
    },
    { xmlMode: true, decodeEntities: true }
  )
  parser.end(xml)
}

interface Replacement {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Returns the XML with ranges replaced. `replacements` are in ascending order. */
export const replaced = (xml: string, replacements: ReadonlyArray<Replacement>): string => {
  let out = ""
  let offset = 0
  for (const { from, to, text } of replacements) {
    out += xml.slice(offset, from) + text
    offset = to
  }
  return offset === 0 ? xml : out + xml.slice(offset)
}
