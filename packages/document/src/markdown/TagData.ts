/** Converts a tag to the data of its block, and back. */
import type { Data } from "../Document.ts"
import { isRef } from "../DocumentRefs.ts"
import type { References } from "./LinkReferences.ts"
import { type Attribute, maxLength, print, type TagLine } from "./TagLine.ts"
import { integration, type Tag } from "./Tags.ts"
import * as TagValue from "./TagValue.ts"

export const read = (tag: Tag, line: TagLine, { resolveRef }: References): Data => {
  if (tag === integration) return integrationData(line)
  const data: Record<string, unknown> = {}
  const otherAttributes: Array<readonly [string, string]> = []
  if (tag.argument !== undefined && line.argument !== undefined) {
    const { field, use } = tag.argument
    data[field] = use === undefined ? line.argument : resolveRef(line.argument, use)
  }
  for (const [name, value] of line.attributes) {
    if (name === tag.ref?.attribute) {
      const ref = tag.ref.use === "spec" ? ({ kind: "openapi", spec: value } as const) : resolveRef(value, tag.ref.use)
      // Embeds of other websites have a `url` instead of a reference.
      if (tag.type === "embed" && ref.kind === "url") data.url = ref.url
      else data.ref = ref
      continue
    }
    const kind = tag.attributes[name]
    const field = kind && TagValue.read(kind, value)
    if (field === undefined) otherAttributes.push([name, value])
    else data[tag.fields[name]!] = field
  }
  if (otherAttributes.length > 0) data.attributes = Object.fromEntries(otherAttributes)
  return data
}

const integrationData = ({ name, argument, attributes }: TagLine): Data => {
  const slash = name.indexOf("/")
  const isBlockAttribute = ([key, text, literal]: Attribute) =>
    key === "fullWidth" && literal === undefined && isBooleanText(text)
  const fullWidth = attributes.find(isBlockAttribute)
  return {
    integration: name.slice(1, slash),
    block: name.slice(slash + 1),
    props: readProps(attributes.filter((attribute) => !isBlockAttribute(attribute))),
    ...(argument !== undefined && { url: argument }),
    ...(fullWidth !== undefined && { fullWidth: fullWidth[1] === "true" })
  }
}

/** Converts attributes to the properties of an integration's block. */
export const readProps = (attributes: TagLine["attributes"]): Data =>
  Object.fromEntries(
    attributes.map(([key, text, literal]) => [
      key,
      literal === undefined ? (isBooleanText(text) ? text === "true" : text) : parseJson(text)
    ])
  )

/** Converts properties to attributes; undefined if a property name is not valid for an attribute. */
export const writeProps = (props: object): ReadonlyArray<Attribute> | undefined => {
  const attributes: Array<Attribute> = []
  for (const [key, value] of Object.entries(props)) {
    if (!namePattern.test(key)) return undefined
    const isText = typeof value === "string" && !isBooleanText(value)
    const isPlain = isText || (typeof value === "boolean" && key !== "fullWidth")
    attributes.push(isPlain ? [key, String(value)] : [key, JSON.stringify(value), "literal"])
  }
  return attributes
}

const isBooleanText = (text: string): boolean => text === "true" || text === "false"

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the tag of a block. `url`: URL of the reference in `data`. */
export const write = (tag: Tag, data: Data, url: string): TagLine => {
  const attributes: Array<readonly [string, string]> = []
  if (tag.ref !== undefined) attributes.push([tag.ref.attribute, tag.ref.use === "spec" ? specName(data, url) : url])
  for (const [name, kind] of Object.entries(tag.attributes)) {
    const value = TagValue.write(kind, data[tag.fields[name]!])
    if (value !== undefined) attributes.push([name, value])
  }
  addOtherAttributes(attributes, data.attributes)
  if (tag.argument === undefined) return { name: tag.name, attributes }
  const { field, use } = tag.argument
  const argument = use === undefined ? data[field] : url
  return { name: tag.name, argument: typeof argument === "string" ? argument : "", attributes }
}

const specName = ({ ref }: Data, url: string): string => (isRef(ref) && ref.kind === "openapi" ? ref.spec : url)

const addOtherAttributes = (attributes: Array<readonly [string, string]>, others: unknown): void => {
  if (typeof others !== "object" || others === null) return
  for (const [name, value] of Object.entries(others)) {
    if (typeof value === "string" && /^[a-zA-Z][\w-]*$/.test(name)) attributes.push([name, value])
  }
}

/**
 * Returns the tag of an integration's block; undefined if a tag cannot express its properties. Text and booleans are in
 * double quotes. Other values are JSON in single quotes.
 */
export const writeIntegration = ({ integration: name, block, props, url, fullWidth }: Data): TagLine | undefined => {
  if (typeof name !== "string" || typeof block !== "string" || typeof props !== "object" || props === null) {
    return undefined
  }
  if (!namePartPattern.test(name) || !namePartPattern.test(block)) return undefined
  if (typeof url === "string" && /[\r\n]/.test(url)) return undefined
  const others = writeProps(props)
  if (others === undefined || (typeof fullWidth === "boolean" && Object.hasOwn(props, "fullWidth"))) return undefined
  const tagLine = {
    name: `@${name}/${block}`,
    ...(typeof url === "string" && { argument: url }),
    attributes: typeof fullWidth === "boolean" ? [...others, ["fullWidth", String(fullWidth)] as const] : others
  }
  const length = others.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  const max = maxLength(true)
  // The printed line may be longer than its values because of escapes.
  return length * 2 < max || print(tagLine).length <= max ? tagLine : undefined
}

const namePattern = /^[a-zA-Z][\w-]*$/
const namePartPattern = /^[\w.-]+$/
