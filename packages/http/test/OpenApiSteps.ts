/** Specs as tests make and read them, and the shapes that the interface promises of them. */
import * as Job from "@lectern/core/job/Job"
import { ProcessSpec, processSpec } from "@lectern/core/openapi/OpenApiProcessing"
import { Effect, Schema } from "effect"
import { answers, Harness, type Method, type Person } from "./Harness.ts"
import { DateTime, Id, Url } from "./Shapes.ts"

const Text = Schema.String
const maybe = Schema.optionalKey

export const OpenApiSpec = Schema.Struct({
  object: Schema.Literal("openapi-spec"),
  id: Id,
  createdAt: DateTime,
  updatedAt: DateTime,
  slug: Text,
  sourceURL: maybe(Url),
  processingState: Schema.Literals(["pending", "progress", "complete"]),
  visibility: Schema.Literals(["private", "public"]),
  lastVersion: maybe(Id),
  lastProcessedAt: maybe(DateTime),
  lastProcessErrorCode: maybe(Schema.Literals(["FETCH_TIMEOUT", "FETCH_ERROR", "PARSE_ERROR"])),
  lastProcessedErrors: maybe(Schema.Array(Schema.Struct({ message: Text, code: maybe(Text) }))),
  lastProcessedErrorCount: Schema.Int,
  warnings: Schema.Array(
    Schema.Struct({ message: Text, path: Schema.String, line: maybe(Schema.Int), column: maybe(Schema.Int) })
  ),
  warningCount: Schema.Int,
  permissions: Schema.Struct({ view: Schema.Boolean, edit: Schema.Boolean }),
  urls: Schema.Struct({ location: Url, app: Url, published: maybe(Url) })
})

export const OpenApiVersion = Schema.Struct({
  object: Schema.Literal("openapi-spec-version"),
  id: Id,
  createdAt: DateTime,
  url: Url,
  urls: Schema.Struct({ location: Url })
})

export const OpenApiContent = Schema.Struct({
  filesystem: Schema.Array(Schema.Struct({ filename: Text, isEntrypoint: Schema.Boolean, specification: Schema.Json })),
  urls: Schema.Struct({ source: Url, public: Schema.NullOr(Url) })
})

export const OpenApiRawContent = Schema.Struct({ text: Text, format: Schema.Literals(["json", "yaml"]) })

export const specText = (title: string, openapi = "3.1.0"): string =>
  JSON.stringify({ openapi, info: { title, version: "1" }, paths: {} })

/** Below the specs of the organization. */
export const ofSpecs = Effect.fnUntraced(function* (
  method: Method,
  path: string,
  body?: unknown,
  by: Person = "admin",
  headers?: Record<string, string>
) {
  const { call, organization } = yield* Harness
  return yield* call(by, method, `/v1/orgs/${organization}/openapi${path}`, body, headers)
})

export const createSpec = (slug: string, text: string) =>
  ofSpecs("POST", "", { slug, source: { text } }).pipe(answers(201, OpenApiSpec))

/** Processes a spec as the worker does, without other due jobs. */
export const processed = Effect.fnUntraced(function* (spec: string) {
  const { run } = yield* processSpec
  yield* run({
    id: Job.JobId.make("now"),
    payload: { spec },
    attempt: 1,
    complete: Effect.void,
    continueWith: () => Effect.die(new Error(`A job "${ProcessSpec.name}" has one slice`))
  }).pipe(Effect.orDie)
})
