/** Random requests of every operation in the API description, valid and invalid ones. */
import { LecternApi } from "@lectern/http/api/LecternApi"
import { OpenApi } from "effect/http-api"
import * as fc from "fast-check"
import { type Method, people } from "../Harness.ts"
import {
  type Json,
  type JsonSchema,
  hostileTexts,
  mutated,
  mutation,
  textOf,
  thingIn,
  thingOf,
  valid
} from "./Values.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: JsonSchema
}

export interface Operation {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: JsonSchema | undefined
  /** Statuses that the description lists. */
  readonly statuses: ReadonlySet<number>
}

interface Described {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema: JsonSchema } } }
  readonly responses: { readonly [status: string]: unknown }
}

const description = OpenApi.fromApi(LecternApi) as unknown as {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Described } }
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema } }
}

export const operations: ReadonlyArray<Operation> = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
    name: operationId,
    method: method.toUpperCase() as Method,
    path,
    parameters,
    body: requestBody?.content["application/json"]?.schema,
    statuses: new Set(Object.keys(responses).map(Number))
  }))
)

export const actors = [...people, "nobody", "stranger", "visitor", "garbage"] as const
export type FuzzActor = (typeof actors)[number]

export interface FuzzRequest {
  readonly operation: string
  readonly actor: FuzzActor
  readonly method: Method
  /** Includes the query. Resources are named as in the body. */
  readonly path: string
  readonly body?: string
  readonly headers: { readonly [name: string]: string }
}

/**
 * A request refers to resources of the own organization or of the vault. Deletions mostly target the vault, so that the
 * own resources last.
 */
const inPath = (operation: Operation) =>
  fc.oneof(
    { weight: operation.method === "DELETE" ? 1 : 4, arbitrary: pathAbout(operation, "own", "vault") },
    { weight: 1, arbitrary: pathAbout(operation, "vault", "own") }
  )

const pathAbout = ({ path, parameters }: Operation, whose: string, others: string) =>
  fc
    .tuple(
      ...parameters
        .filter((parameter) => parameter.in === "path")
        .map(({ name }) => {
          const thing = thingIn(path, name)
          return fc
            .oneof(
              { weight: 40, arbitrary: fc.constant(`$${whose}.${thing}`) },
              { weight: 2, arbitrary: fc.constant(`$${others}.${thing}`) },
              { weight: 1, arbitrary: textOf(name) }
            )
            .map((value) => [name, value] as const)
        })
    )
    .map((values) => values.reduce((filled, [name, value]) => filled.replace(`{${name}}`, () => `‹${value}›`), path))

const queryText = (parameter: Parameter) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary:
        thingOf(parameter.name) === undefined
          ? valid(parameter.schema, parameter.name, description.components.schemas)
          : textOf(parameter.name)
    },
    { weight: 1, arbitrary: fc.constantFrom<Json>(...hostileTexts) }
  )

const inQuery = ({ parameters }: Operation) =>
  fc
    .tuple(
      ...parameters
        .filter((parameter) => parameter.in === "query")
        .map((parameter) =>
          fc.oneof(
            { weight: 3, arbitrary: fc.constant([]) },
            {
              weight: 1,
              arbitrary: queryText(parameter).map((value) =>
                [value]
                  .flat()
                  .map((each) => `${parameter.name}=‹${typeof each === "string" ? each : JSON.stringify(each)}›`)
              )
            }
          )
        ),
      fc.constantFrom([], [], [], [], ["__proto__=x"], ["a[b]=c&a=1"], ["page=‹$vault.space›"])
    )
    .map((parts) => parts.flat().join("&"))

const bodyOf = ({ body }: Operation) =>
  body === undefined
    ? fc.option(fc.constantFrom("", "{}", "null", '{"x":1}'), { nil: undefined, freq: 3 })
    : fc.oneof(
        {
          weight: 24,
          arbitrary: fc
            .tuple(
              valid(body, "", description.components.schemas),
              fc.oneof(
                { weight: 2, arbitrary: fc.constant([]) },
                { weight: 1, arbitrary: fc.array(mutation, { maxLength: 2 }) }
              )
            )
            .map(([value, mutations]) => JSON.stringify(mutations.reduce(mutated, value)))
        },
        { weight: 1, arbitrary: fc.constantFrom("", "{", "[]", "nul", '{"a":1,"a":2}', "\ufeff{}", '"\\ud800"') }
      )

const headers = fc.oneof(
  { weight: 30, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { "if-match": '"x"' },
      { "if-match": "*" },
      { "if-none-match": "*" },
      { range: "bytes=0-1,5-" },
      { range: "bytes=-1" },
      { accept: "text/html" },
      { "content-type": "text/plain" },
      { "content-type": "application/vnd.x+json; charset=utf-7" },
      { "accept-encoding": "br;q=nan, *;q=0" },
      { origin: "https://evil.example" },
      { "x-forwarded-host": "evil.example" }
    )
  }
)

const of = (operation: Operation): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      actor: fc.oneof(
        { weight: 5, arbitrary: fc.constant<FuzzActor>("admin") },
        { weight: 2, arbitrary: fc.constantFrom(...actors) }
      ),
      path: inPath(operation),
      query: inQuery(operation),
      body: operation.method === "GET" ? fc.constant(undefined) : bodyOf(operation),
      headers,
      method: fc.oneof(
        { weight: 20, arbitrary: fc.constant(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom<Method>("HEAD", "OPTIONS") }
      )
    })
    .map(({ actor, body, headers, method, path, query }) => ({
      operation: operation.name,
      actor,
      method,
      path: query === "" ? path : `${path}?${query}`,
      headers,
      ...(body !== undefined && method === operation.method && { body })
    }))

export const request: fc.Arbitrary<FuzzRequest> = fc.oneof(...operations.map(of))
