/** A real MCP client of a site's tools. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect, Schema } from "effect"
import { answering } from "./SiteHarness.ts"

const Page = Schema.Struct({
  title: Schema.String,
  url: Schema.String,
  description: Schema.optionalKey(Schema.String),
  excerpt: Schema.optionalKey(Schema.String)
})

/** Fields of the tools' results. Each tool returns some of them. */
const Found = Schema.Struct({
  results: Schema.optionalKey(Schema.Array(Page)),
  pages: Schema.optionalKey(Schema.Array(Page)),
  url: Schema.optionalKey(Schema.String),
  title: Schema.optionalKey(Schema.String),
  spec: Schema.optionalKey(Schema.String),
  markdown: Schema.optionalKey(Schema.String)
})
const read = Schema.decodeUnknownSync(Found)

/** Returns a client that calls the application without a network. */
export const clientOf = Effect.fnUntraced(function* (base: string) {
  const answer = yield* answering()
  const transport = new StreamableHTTPClientTransport(new URL(`${base}~lectern/mcp`), {
    fetch: (url, init) => answer(new Request(url, init))
  })
  const client = new Client({ name: "test", version: "1.0.0" })
  // The types of the SDK conflict with `exactOptionalPropertyTypes`.
  yield* Effect.promise(() => client.connect(transport as never))
  const call = (name: string, input: Record<string, unknown>) =>
    Effect.promise(async () => {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: input })
      return { isError, found: read(structuredContent ?? {}), text: JSON.stringify(content) }
    })
  return { client, call, transport }
})
