/**
 * Documentation of a site as tools of the Model Context Protocol over Streamable HTTP. Tools search pages, list pages,
 * read a page, and read an API operation. All tools are read-only and run as the reader of the request.
 *
 * Limits: requests of 64 KiB with at most 20 calls, 20 search results, 200 pages per list. A server keeps 500 sessions
 * of older protocol versions; a new session ends the least recently used one.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import { ByteSize, Context, Effect, Layer, Result, Schema } from "effect"
import { McpProtocol, McpServer, Tool, Toolkit } from "effect/ai"
import { HttpEffect, HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as McpResponseFormat from "./McpResponseFormat.ts"
import type { FoundPage } from "./PageSearch.ts"

/** Content of the site that tools can read for one reader. */
export interface Documentation {
  readonly search: (query: string, limit: number) => Effect.Effect<ReadonlyArray<FoundPage>, StorageError>
  readonly pages: Effect.Effect<ReadonlyArray<FoundPage>, StorageError>
  /** Finds a page by its URL, or by a path below the site. Undefined if it does not exist. */
  readonly page: (
    url: string,
    part: number
  ) => Effect.Effect<{ readonly url: string; readonly markdown: string } | undefined, StorageError>
  /** Finds an operation in the specifications that pages of the site show. Undefined if it does not exist. */
  readonly operation: (method: string, path: string) => Effect.Effect<FoundOperation | undefined, StorageError>
}

export interface FoundOperation {
  readonly title: string
  readonly spec: string
  readonly markdown: string
}

class Reader extends Context.Service<Reader, Documentation>()("@lectern/site/machine-readable/Mcp/Reader") {}

class ToolNotFound extends Schema.TaggedError<ToolNotFound>()("NotThere", { message: Schema.String }) {}

const pagesInList = 200
const maxRequest = ByteSize.kibibytes(64)
/**
 * Maximum calls in one request, since rate limits count a request as one. Only older protocol versions send several
 * calls.
 */
const maxCalls = 20
const maxSessions = 500
const path = "/mcp"
const sessionHeader = "mcp-session-id"

const page = {
  title: Schema.String,
  url: Schema.String,
  description: Schema.optionalKey(Schema.String)
}

const boundedInt = (max: number, description: string) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: max })).annotate({ description }))

const boundedText = (max: number, description: string) =>
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max)).annotate({ description })

/** Annotates a tool as read-only. Without annotations, clients treat a tool as destructive. */
const readOnly = <T extends Tool.Any>(tool: T): T =>
  tool
    .annotate(Tool.Readonly, true)
    .annotate(Tool.Destructive, false)
    .annotate(Tool.Idempotent, true)
    .annotate(Tool.OpenWorld, false) as T

const tools = Toolkit.make(
  readOnly(
    Tool.make("searchDocumentation", {
      description: "Finds pages of this documentation by words, the best first. Read one with getPage.",
      parameters: Schema.Struct({
        query: boundedText(512, "Words to look for"),
        limit: boundedInt(20, "How many pages to find. Default: 10")
      }),
      success: Schema.Struct({
        results: Schema.Array(Schema.Struct({ ...page, excerpt: Schema.optionalKey(Schema.String) }))
      }),
      dependencies: [Reader]
    })
  ),
  readOnly(
    Tool.make("getPage", {
      description: "Reads a page of this documentation as Markdown. A long page comes in parts.",
      parameters: Schema.Struct({
        url: boundedText(4_096, "URL of the page, or its path below the site"),
        part: boundedInt(1_000, "Part of a long page. Default: 1")
      }),
      success: Schema.Struct({ url: Schema.String, markdown: Schema.String }),
      failure: ToolNotFound,
      dependencies: [Reader]
    })
  ),
  readOnly(
    Tool.make("listPages", {
      description: "Lists the pages of this documentation in their order, 200 at a time.",
      parameters: Schema.Struct({ from: boundedInt(1_000_000, "Place of the first page to list. Default: 1") }),
      success: Schema.Struct({
        pages: Schema.Array(Schema.Struct(page)),
        total: Schema.Int,
        next: Schema.optionalKey(Schema.Int.annotate({ description: "Value of `from` for those that follow" }))
      }),
      dependencies: [Reader]
    })
  ),
  readOnly(
    Tool.make("getOperation", {
      description:
        "Reads an operation of an API that this documentation describes: its parameters, body and responses.",
      parameters: Schema.Struct({
        method: boundedText(20, "As get or POST; hook for a webhook"),
        path: boundedText(1_024, "Path as the API describes it, such as /pets/{id}; the name of a webhook")
      }),
      success: Schema.Struct({ title: Schema.String, spec: Schema.String, markdown: Schema.String }),
      failure: ToolNotFound,
      dependencies: [Reader]
    })
  )
)

/** A failing store is not the caller's fault: it becomes a defect and ends in an error response. */
const handlers = tools.toLayer({
  searchDocumentation: Effect.fnUntraced(function* ({ query, limit = 10 }) {
    return { results: yield* Effect.orDie((yield* Reader).search(query, limit)) }
  }),
  getPage: Effect.fnUntraced(function* ({ url, part = 1 }) {
    const page = yield* Effect.orDie((yield* Reader).page(url, part))
    return (
      page ?? (yield* new ToolNotFound({ message: "There is no such page here: find one with searchDocumentation" }))
    )
  }),
  getOperation: Effect.fnUntraced(function* ({ method, path }) {
    const operation = yield* Effect.orDie((yield* Reader).operation(method.toLowerCase(), path))
    return operation ?? (yield* new ToolNotFound({ message: "There is no such operation here" }))
  }),
  listPages: Effect.fnUntraced(function* ({ from = 1 }) {
    const all = yield* Effect.orDie((yield* Reader).pages)
    const next = from + pagesInList
    return {
      pages: all.slice(from - 1, next - 1),
      total: all.length,
      ...(next <= all.length && { next })
    }
  })
})

const server = McpServer.layerHttp({
  name: "lectern-documentation",
  version: "1.0.0",
  instructions:
    "Reads the documentation of one site: find pages with searchDocumentation, then read them with getPage.",
  path,
  protocols: [
    McpProtocol.v2026_07_28,
    McpProtocol.v2025_11_25,
    McpProtocol.v2025_06_18,
    McpProtocol.v2025_03_26,
    McpProtocol.v2024_11_05
  ],
  allowSessionTermination: true,
  allowSubscriptions: false,
  registrations: McpServer.toolkit(tools).pipe(Layer.provide(handlers))
})

/** Creates a function that responds to MCP requests for a reader. */
export const make = Effect.gen(function* () {
  const handler = yield* HttpRouter.toHttpEffect(server)
  /** Ids of sessions; the most recently used is last. */
  const sessions = new Set<string>()

  const handle = (request: HttpServerRequest.HttpServerRequest, documentation: Documentation) =>
    handler.pipe(
      Effect.provideService(Reader, documentation),
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.provideService(HttpIncomingMessage.MaxBodySize, maxRequest),
      Effect.scoped,
      Effect.catch(() => Effect.succeed(HttpServerResponse.empty({ status: 400 }))),
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError("A call of a tool broke", defect), HttpServerResponse.empty({ status: 400 }))
      )
    )

  const touchSession = Effect.fnUntraced(function* (session: string, documentation: Documentation) {
    sessions.delete(session)
    sessions.add(session)
    if (sessions.size <= maxSessions) return
    const [oldestSession = ""] = sessions
    sessions.delete(oldestSession)
    const endRequest = new Request(`https://site.invalid${path}`, {
      method: "DELETE",
      headers: { [sessionHeader]: oldestSession }
    })
    yield* handle(HttpServerRequest.fromWeb(endRequest), documentation)
  })

  return Effect.fn("Mcp.respond")(function* (
    request: HttpServerRequest.HttpServerRequest,
    /** Origin of the site. Requests of browsers from other origins are rejected. */
    origin: string,
    documentation: Documentation
  ) {
    const { origin: requestOrigin, accept, ...otherHeaders } = request.headers
    const format = McpResponseFormat.acceptedFormat(accept)
    const headers = { ...otherHeaders, accept: format.json || format.events ? McpResponseFormat.bothTypes : accept }
    if (requestOrigin !== undefined && requestOrigin !== origin) return HttpServerResponse.empty({ status: 403 })
    const mcpRequest = request.modify({ url: path, headers: headers as never })
    if (yield* hasTooManyCalls(mcpRequest)) return tooManyCalls
    const response = yield* Effect.flatMap(handle(mcpRequest, documentation), (mcpResponse) =>
      McpResponseFormat.convertResponse(mcpResponse, format)
    )
    const session = otherHeaders[sessionHeader]
    if (session !== undefined && request.method === "DELETE") sessions.delete(session)
    else if (session !== undefined && sessions.has(session)) yield* touchSession(session, documentation)
    // The id of a new session is known only when the response is sent.
    if (session === undefined) {
      yield* HttpEffect.appendPreResponseHandler((_, response) => {
        const newSession = response.headers[sessionHeader]
        return Effect.as(newSession === undefined ? Effect.void : touchSession(newSession, documentation), response)
      })
    }
    return response
  })
})

/** Returns true if the request has too many calls. False for an invalid request, which the MCP server rejects. */
const hasTooManyCalls = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<boolean> =>
  request.method === "POST"
    ? request.text.pipe(
        Effect.map((text) => {
          const parsedBody = Result.try((): unknown => JSON.parse(text))
          return (
            Result.isSuccess(parsedBody) && Array.isArray(parsedBody.success) && parsedBody.success.length > maxCalls
          )
        }),
        Effect.provideService(HttpIncomingMessage.MaxBodySize, maxRequest),
        Effect.orElseSucceed(() => false)
      )
    : Effect.succeed(false)

const tooManyCalls = HttpServerResponse.jsonUnsafe(
  { jsonrpc: "2.0", id: null, error: { code: -32600, message: `A request holds at most ${maxCalls} calls` } },
  { status: 400 }
)
