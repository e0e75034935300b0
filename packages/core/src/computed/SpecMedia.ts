/**
 * Parts of operations: content types, examples, links, callbacks, and the sets of security schemes that authorize a
 * call.
 *
 * Limits: 10 content types, 20 callbacks and links, 10 sets of 10 schemes with 30 scopes each.
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
} from "./SpecParser.ts"

const maxMedia = 10
const maxParts = 20
const maxSets = 10
const maxScopes = 30

export const contentTypes = ({ content }: Fields): ReadonlyArray<readonly [type: string, media: Fields]> =>
  Object.entries(fieldsOf(content))
    .slice(0, maxMedia)
    .flatMap(([type, media]) => (isFields(media) ? [[type, withArraySchema(media)] as const] : []))

/**
 * Returns the media type with a `schema`. A sequential media type (OpenAPI 3.2) with only `itemSchema` gets an array of
 * these items.
 */
const withArraySchema = (media: Fields): Fields =>
  media.schema === undefined && media.itemSchema !== undefined
    ? { ...media, schema: { type: "array", items: media.itemSchema } }
    : media

/** Returns the schema of a parameter or a header, or else that of its first content type. */
export const schemaOf = (holder: Fields): unknown => holder.schema ?? contentTypes(holder)[0]?.[1].schema

/** Returns the examples of a parameter, a header or a body, or else those of its first content type. */
export const examplesOf = (spec: Spec, holder: Fields): ReadonlyArray<SchemaFacts.NamedExample> => {
  const ownExamples = SchemaFacts.namedExamples(holder, spec.resolve)
  if (ownExamples.length > 0) return ownExamples
  const [media] = contentTypes(holder)
  return media === undefined ? [] : SchemaFacts.namedExamples(media[1], spec.resolve)
}

interface NeededScheme {
  readonly name: string
  readonly scheme: Fields | undefined
  readonly scopes: ReadonlyArray<string>
}

/** Returns the alternative sets of security schemes: each set on its own authorizes a call. */
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
  /** Id or reference of the target operation. */
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
      const allParameters = Object.entries({
        ...fieldsOf(parameters),
        ...(requestBody !== undefined && { requestBody })
      })
      return [
        {
          name: lineOf(name, 200) || "?",
          operation: lineOf(operationId, 200) || lineOf(operationRef, 300),
          parameters: allParameters
            .slice(0, maxParts)
            .map(([parameter, parameterValue]) => [
              lineOf(parameter, 100),
              lineOf(parameterValue, 200) || SchemaFacts.literalText(parameterValue)
            ]),
          description
        }
      ]
    })

interface SpecCallback {
  readonly name: string
  /** The runtime expression of the callback URL. */
  readonly url: string
  readonly operation: SpecOperation
}

export const callbacks = (spec: Spec, { callbacks: callbackFields }: Fields): ReadonlyArray<SpecCallback> =>
  Object.entries(fieldsOf(callbackFields))
    .slice(0, maxParts)
    .flatMap(([name, value]) =>
      Object.entries(fieldsOf(spec.resolve(value)))
        .filter(([url]) => !url.startsWith("x-"))
        .flatMap(([url, item]) =>
          operationsIn(spec.resolve, url, item, "hook").map((operation) => ({
            name: lineOf(name, 100),
            url,
            operation
          }))
        )
    )
    .slice(0, maxParts)

/** True if the content type is a form encoding of names and values. */
export const isForm = (type: string): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)
