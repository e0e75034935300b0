/**
 * Script tag of an analytics service: one tag with a `src` and without inline code. Only `src`, `data-…` attributes, and
 * attributes for integrity and loading are accepted.
 */
export interface Snippet {
  readonly src: string
  readonly attributes: ReadonlyArray<readonly [name: string, value: string]>
}

const tag = /^<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>\s*<\/script\s*>$/i
const attribute = /([^\s=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g
const allowedAttributes = /^(data-[a-z0-9-]+|id|integrity|crossorigin|referrerpolicy|type)$/

/** Decodes the character references of an attribute. */
const decode = (value: string) =>
  value
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

/** Parses a script tag. Returns undefined if the text is not an accepted tag. */
export const read = (text: string): Snippet | undefined => {
  const attributeText = tag.exec(text.trim())?.[1]
  if (attributeText === undefined) return undefined
  const attributes = [...attributeText.matchAll(attribute)].map(
    ([, name = "", ...values]) =>
      [name.toLowerCase(), decode(values.find((value) => value !== undefined) ?? "")] as const
  )
  const src = URL.parse(attributes.find(([name]) => name === "src")?.[1] ?? "")
  if (src?.protocol !== "https:") return undefined
  return { src: src.href, attributes: attributes.filter(([name]) => allowedAttributes.test(name)) }
}

/** Returns a script that adds the tag to the page that loads the script. */
export const script = ({ src, attributes }: Snippet): string => `(() => {
  const script = document.createElement("script")
  script.async = true
  for (const [name, value] of ${JSON.stringify(attributes)}) script.setAttribute(name, value)
  script.src = ${JSON.stringify(src)}
  document.head.append(script)
})()
`
