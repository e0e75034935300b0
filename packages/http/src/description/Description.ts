/**
 * The description of the whole interface, as OpenAPI 3.1: what `OpenApi.fromApi` makes of each group, with a
 * sentence for each operation and parameter, schemas that have names and are written once, numbers and booleans in
 * queries, headers that operations go by, examples of bodies, and of the errors those that can happen. It is made in steps, so that others go on
 * meanwhile.
 */
import { Slice } from "@lectern/core/storage/Slice"
import { Effect, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { LecternApi } from "../api/LecternApi.ts"
import { Examples } from "./Examples.ts"
import { type JsonSchema, mapped } from "./JsonSchema.ts"
import { statusesOf } from "./OperationErrors.ts"
import * as RequestHeaders from "./RequestHeaders.ts"
import { bodyName, SchemaNames } from "./SchemaNames.ts"

type Content = Record<string, { schema: JsonSchema; example?: unknown }>

export interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: RequestHeaders.Headers
  readonly content?: Content
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
}

export interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly security: ReadonlyArray<object>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export interface Description {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly description: string
    readonly version: string
    readonly license: object
  }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly tags: ReadonlyArray<object>
  readonly security: ReadonlyArray<object>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: object
  }
}

/**
 * A schema without the bounds that every integer of JavaScript has, and without a word on other fields: those that
 * are sent are ignored, and answers may get more. Generators of clients want to know of each list what is in it, and
 * that what has no fields is an object: for Effect it is all that isn't null.
 */
const plain = (schema: JsonSchema): JsonSchema => {
  if (isNotNull(schema)) return { type: "object" }
  const { minimum, maximum, additionalProperties, ...rest } = mapped(schema, plain)
  const isOfAnything = rest.type === "array" && rest.items === undefined && rest["prefixItems"] === undefined
  return {
    ...rest,
    ...(isOfAnything && { items: {} }),
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    ...(minimum !== undefined && minimum !== -Number.MAX_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum })
  }
}

const isNotNull = ({ not, ...rest }: JsonSchema) =>
  JSON.stringify(not) === '{"type":"null"}' && Object.keys(rest).length === 0

/** The parameters of a query by their names, as a client has them before they are text. */
const typesOf = ({ query }: HttpApiEndpoint.Top): Readonly<Record<string, JsonSchema>> =>
  query === undefined ? {} : ((Schema.toJsonSchemaDocument(Schema.toType(query)).schema as JsonSchema).properties ?? {})

/** The schema of a parameter, and the sentence that stands on its key, of which Effect makes a part of the schema. */
const described = ({ allOf = [], ...rest }: JsonSchema): Pick<Parameter, "description" | "schema"> => {
  const isSentence = (part: JsonSchema) => Object.keys(part).join() === "description"
  const description = allOf.find(isSentence)?.["description"]
  const parts = allOf.filter((part) => !isSentence(part))
  return {
    description: typeof description === "string" ? description : "",
    schema: { ...rest, ...(parts.length > 0 && { allOf: parts }) }
  }
}

/** `listInOrganization` as words: "List in organization". */
const wordsOf = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** An operation of a group, with what it is to be known by. */
interface Part {
  readonly path: string
  readonly method: string
  readonly group: string
  readonly name: string
  readonly endpoint: HttpApiEndpoint.Top
  readonly made: OpenApi.OpenAPISpecOperation
}

/** The content of bodies, each with the name for one that has none of its own. */
const bodiesOf = ({ group, made, name }: Part): ReadonlyArray<readonly [content: Content, name: string]> => {
  const called = bodyName(group, name)
  const taken = made.requestBody === undefined ? [] : [[made.requestBody.content as Content, called] as const]
  const answered = Object.entries(made.responses).flatMap(([status, { content }]) =>
    content === undefined || Number(status) >= 400
      ? []
      : [[content as Content, taken.length === 0 ? called : `${called}Answer`] as const]
  )
  return [...taken, ...answered]
}

/** Describes the interface of a server at this URL. */
export const description = Effect.fnUntraced(function* (server: string): Effect.fn.Return<Description> {
  const slice = yield* Slice.start
  const about = () => HttpApi.make("lectern").annotateMerge(LecternApi.annotations)
  const whole = OpenApi.fromApi(about())
  const parts: Array<Part> = []
  const schemas: Record<string, JsonSchema> = {}
  const tags: Array<object> = []
  const securitySchemes: Record<string, object> = {}
  for (const [group, { endpoints }] of Object.entries(LecternApi.groups)) {
    const of = OpenApi.fromApi(about().add(LecternApi.groups[group as keyof typeof LecternApi.groups]))
    for (const [path, methods] of Object.entries(of.paths)) {
      for (const [method, made] of Object.entries(methods as Record<string, OpenApi.OpenAPISpecOperation>)) {
        const name = made.operationId.slice(group.length + 1)
        const endpoint = (endpoints as Readonly<Record<string, HttpApiEndpoint.Top>>)[name]!
        parts.push({ path, method, group, name, endpoint, made })
      }
    }
    for (const [name, schema] of Object.entries(of.components.schemas)) schemas[name] = plain(schema as JsonSchema)
    Object.assign(securitySchemes, of.components.securitySchemes)
    tags.push(...of.tags)
    if (slice.isOver()) yield* slice.pause
  }

  const names = new SchemaNames(schemas)
  for (const part of parts) {
    for (const [content, name] of bodiesOf(part)) {
      for (const body of Object.values(content)) {
        body.schema = plain(body.schema)
        names.add(body.schema, name)
      }
    }
    if (slice.isOver()) yield* slice.pause
  }
  names.name()
  yield* slice.pause

  const responses: Record<string, Response> = {}
  const paths: Record<string, Record<string, Operation>> = {}
  const bodies: Array<{ schema: JsonSchema; example?: unknown }> = []
  for (const part of parts) {
    const { endpoint, made, method, name, path } = part
    for (const [content] of bodiesOf(part)) {
      for (const body of Object.values(content)) body.schema = names.written(body.schema)
    }
    bodies.push(
      ...Object.entries(made.requestBody?.content ?? {}).flatMap(([type, body]) => (isJson(type) ? body : []))
    )
    const types = typesOf(endpoint)
    const parameters = [
      ...made.parameters.map((parameter): Parameter => ({
        name: parameter.name,
        in: parameter.in,
        required: parameter.required,
        ...described(plain((parameter.in === "query" && types[parameter.name]) || (parameter.schema as JsonSchema)))
      })),
      ...RequestHeaders.parametersOf(endpoint)
    ]
    const statuses = statusesOf(endpoint)
    const answers: Record<string, Response> = {}
    for (const [status, answer] of Object.entries(made.responses as Record<string, Response>)) {
      const told = { ...answer, ...RequestHeaders.headersOf(endpoint, status) }
      if (Number(status) < 400) answers[status] = told
      else if (statuses.has(Number(status))) {
        const called = answer.description ?? status
        responses[called] = { ...told, description: said[called] ?? called }
        answers[status] = { $ref: `#/components/responses/${called}` }
      }
    }
    for (const [status, description] of Object.entries(RequestHeaders.answersOf(endpoint))) {
      const { content } = answers["200"]!
      const headers = RequestHeaders.headersOf(endpoint, status)
      answers[status] = { description, ...headers, ...(status === "206" && content && { content }) }
    }
    paths[path] = {
      ...paths[path],
      [method]: {
        operationId: made.operationId,
        tags: made.tags,
        summary: wordsOf(name),
        description: made.description ?? "",
        security: made.security,
        parameters,
        ...(made.requestBody && { requestBody: made.requestBody as NonNullable<Operation["requestBody"]> }),
        responses: answers
      }
    }
    if (slice.isOver()) yield* slice.pause
  }
  const components = names.components
  yield* slice.pause
  const examples = new Examples(components)
  for (const body of bodies) body.example = examples.of(body.schema)
  yield* slice.pause
  return {
    openapi: whole.openapi,
    info: { ...whole.info, description: whole.info.description ?? "", license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: server }],
    tags,
    security: [],
    paths,
    components: { schemas: components, responses, securitySchemes: { ...securitySchemes, bearer } }
  } satisfies Description
})

const isJson = (type: string) => /^application\/(?:.+\+)?json/.test(type)

/** Schemes are the same in any case, and readers of descriptions expect the lower one. */
const bearer = { type: "http", scheme: "bearer", description: "A token, made by `lectern token` or by signing on." }

const said: Readonly<Record<string, string>> = {
  BadRequest: "Something in the request is not as it should be: `issues` says where.",
  Unauthorized: "There is no token, or it is no good.",
  Forbidden: "The actor may see this and not do it.",
  NotFound: "There is no such thing, or the actor may not see it.",
  Conflict: "It can't be done as things are: the message says why.",
  PreconditionFailed: "Something has changed since, which the request counts on.",
  PayloadTooLarge: "The body, or something in it, is too large.",
  UnsupportedMediaType: "The body is not of a type that is read here.",
  RangeNotSatisfiable: "None of the bytes that were asked for is there.",
  UnprocessableContent: "It can't be made of what is there: the message says why.",
  TooManyRequests: "Too many requests: `Retry-After` says when to ask again.",
  InternalServerError: "Something went wrong that is not the caller's fault; it is logged under `requestId`.",
  BadGateway: "Another server had to answer first, and didn't as it should.",
  ServiceUnavailable: "The data can't be reached at the moment."
}
