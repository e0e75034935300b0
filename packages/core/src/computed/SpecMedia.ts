/**
 * Parts of operations: types of content, examples, links, callbacks, and sets of schemes that are enough to call them.
 *
 * Limits: 10 types of content, 20 callbacks and links, 10 sets of 10 schemes with 30 scopes each.
 */
import * as SchemaFacts from "./SchemaFacts.ts"
import {
  type Fields,
  fieldsOf,
  isFields,
  lineOf,
  listOf,
  operationsIn,
  type Spec,
  type SpecOperation,
  textOf
} from "./SpecReading.ts"

const maxMedia = 10
const maxParts = 20
const maxSets = 10
const maxScopes = 30

export const all = ({ content }: Fields): ReadonlyArray<readonly [type: string, media: Fields]> =>
  Object.entries(fieldsOf(content))
    .slice(0, maxMedia)
    .flatMap(([type, media]) => (isFields(media) ? [[type, sequence(media)] as const] : []))

/** Of a sequence of values (3.2) one value's schema is that of an item. */
const sequence = (media: Fields): Fields =>
  media.schema === undefined && media.itemSchema !== undefined
    ? { ...media, schema: { type: "array", items: media.itemSchema } }
    : media

/** The schema of a parameter or a header, which may have a type of content instead. */
export const schemaOf = (holder: Fields): unknown => holder.schema ?? all(holder)[0]?.[1].schema

/** Examples of a parameter, a header or a body; of one with a type of content those of that. */
export const examplesOf = (spec: Spec, holder: Fields): ReadonlyArray<SchemaFacts.NamedExample> => {
  const own = SchemaFacts.namedExamples(holder, spec.resolve)
  if (own.length > 0) return own
  const [media] = all(holder)
  return media === undefined ? [] : SchemaFacts.namedExamples(media[1], spec.resolve)
}

interface NeededScheme {
  readonly name: string
  readonly scheme: Fields | undefined
  readonly scopes: ReadonlyArray<string>
}

/** Sets of schemes, each of which is enough. */
export const securityOf = (spec: Spec, { security }: Fields): ReadonlyArray<ReadonlyArray<NeededScheme>> => {
  const schemes = fieldsOf(fieldsOf(spec.document.components).securitySchemes)
  return listOf(security ?? spec.document.security)
    .filter(isFields)
    .slice(0, maxSets)
    .map((set) =>
      Object.entries(set)
        .slice(0, maxSets)
        .map(([name, scopes]) => ({
          name,
          scheme: Object.hasOwn(schemes, name) ? spec.resolve(schemes[name]) : undefined,
          scopes: listOf(scopes).map(textOf).filter(Boolean).slice(0, maxScopes)
        }))
    )
}

interface SpecLink {
  readonly name: string
  /** Id or reference of the operation that it leads to. */
  readonly operation: string
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
  readonly description: unknown
}

export const linksOf = (spec: Spec, { links }: Fields): ReadonlyArray<SpecLink> =>
  Object.entries(fieldsOf(links))
    .slice(0, maxParts)
    .flatMap(([name, value]): ReadonlyArray<SpecLink> => {
      const link = spec.resolve(value)
      if (link === undefined) return []
      const { operationId, operationRef, parameters, requestBody, description } = link
      const given = Object.entries({
        ...fieldsOf(parameters),
        ...(requestBody !== undefined && { requestBody })
      })
      return [
        {
          name: lineOf(name, 200) || "?",
          operation: lineOf(operationId, 200) || lineOf(operationRef, 300),
          parameters: given
            .slice(0, maxParts)
            .map(([parameter, one]) => [lineOf(parameter, 100), lineOf(one, 200) || SchemaFacts.literal(one)]),
          description
        }
      ]
    })

interface SpecCallback {
  readonly name: string
  /** The expression that gives the URL. */
  readonly url: string
  readonly found: SpecOperation
}

export const callbacks = (spec: Spec, { callbacks: given }: Fields): ReadonlyArray<SpecCallback> =>
  Object.entries(fieldsOf(given))
    .slice(0, maxParts)
    .flatMap(([name, value]) =>
      Object.entries(fieldsOf(spec.resolve(value)))
        .filter(([url]) => !url.startsWith("x-"))
        .flatMap(([url, item]) =>
          operationsIn(spec.resolve, url, item, "hook").map((found) => ({ name: lineOf(name, 100), url, found }))
        )
    )
    .slice(0, maxParts)

/** Names with values, as forms send them. */
export const isForm = (type: string): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)
