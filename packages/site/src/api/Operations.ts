/** An operation or a webhook: its address, who may call it, what it takes and answers, and how to call it. */
import * as SchemaRows from "@lectern/core/computed/SchemaRows"
import {
  type Fields,
  fieldsOf,
  isFields,
  lineOf,
  listOf,
  type Spec,
  type SpecOperation,
  textOf
} from "@lectern/core/computed/SpecReading"
import { empty, type Html, html, join, trusted } from "../html/Html.ts"
import { choice, code, described, type Drawing, phrase } from "./Drawing.ts"
import * as Examples from "./Examples.ts"
import * as Media from "./Media.ts"
import * as Samples from "./Samples.ts"
import * as Schemas from "./Schemas.ts"
import * as Servers from "./Servers.ts"

const maxResponses = 50

export const operation = (drawing: Drawing, found: SpecOperation): Html => {
  const { words } = drawing
  const { verb, path, operation } = found
  const isHook = found.method === "hook"
  const name = isHook
    ? html`${lineOf(path, 500)}`
    : join(
        lineOf(path, 500)
          .split(/(\{[^{}]*\})/)
          .map((part) => (part.startsWith("{") ? html`<b>${part}</b>` : part))
      )
  const deprecated = operation.deprecated === true && html`<span class="api-sign">${words.deprecated}</span>`
  const samples = isHook
    ? empty
    : choice(
        drawing,
        Samples.of(callOf(drawing, found), operation).map(({ title, syntax, text }) => ({
          title,
          block: code(drawing, text, syntax)
        }))
      )
  return html`<section class="api"><div class="api-head"><span class="api-method ${verb}">${verb.toUpperCase()}</span><code>${name}</code>${deprecated}${drawing.tryButton?.(found)}</div>${described(drawing, operation.description)}${
    !samples.isEmpty && html`<div class="api-samples">${samples}</div>`
  }${!isHook && authorization(drawing, operation)}${!isHook && servers(drawing, found)}${parameters(drawing, found)}${body(drawing, operation)}${responses(drawing, operation)}</section>`
}

const part = ({ level }: Drawing, title: string, content: Html): Html => {
  const name = trusted(`h${level}`)
  return content.isEmpty ? empty : html`<div class="api-section"><${name}>${title}</${name}>${content}</div>`
}

/** Schemes that are enough together, one of several such sets. */
const authorization = (drawing: Drawing, { security }: Fields): Html => {
  const { spec, words } = drawing
  const all = fieldsOf(fieldsOf(spec.document.components).securitySchemes)
  const sets = listOf(security ?? spec.document.security)
    .filter(isFields)
    .slice(0, 10)
    .map((set) =>
      Object.entries(set)
        .slice(0, 10)
        .map(([name, scopes]) => {
          const scheme = Object.hasOwn(all, name) ? spec.resolve(all[name]) : undefined
          const wanted = listOf(scopes).map(textOf).filter(Boolean).slice(0, 30)
          return html`<li><div class="api-name"><code>${lineOf(name, 100)}</code> <span class="api-type">${scheme && schemeOf(scheme)}</span></div>${described(drawing, scheme?.description)}${flows(scheme)}${wanted.length > 0 && html`<p class="api-fact">${wanted.map((scope, i) => html`${i > 0 && " "}<code>${lineOf(scope, 100)}</code>`)}</p>`}</li>`
        })
    )
  const shown = sets.map(
    (set, i) =>
      html`${i > 0 && html`<p class="api-note">${words.either}</p>`}${set.length === 0 ? html`<p class="api-note">${words.optional}</p>` : html`<ul class="api-fields">${set}</ul>`}`
  )
  return part(drawing, words.authorization, join(shown))
}

const schemeOf = (scheme: Fields): string => {
  const place = `${lineOf(scheme.in, 20)}: ${lineOf(scheme.name, 100)}`
  if (scheme.type === "apiKey") return place
  if (scheme.type === "http") return `header: Authorization: ${lineOf(scheme.scheme, 30)}`
  return lineOf(scheme.type, 30)
}

const flows = (scheme: Fields | undefined): Html => {
  const urls = Object.values(fieldsOf(scheme?.flows))
    .slice(0, 5)
    .flatMap((flow) => [fieldsOf(flow).authorizationUrl, fieldsOf(flow).tokenUrl])
  const shown = [scheme?.openIdConnectUrl, ...urls].map((url) => lineOf(url, 500)).filter((url) => url !== "")
  return join([...new Set(shown)].map((url) => html`<p class="api-fact"><code>${url}</code></p>`))
}

const servers = (drawing: Drawing, found: SpecOperation): Html => {
  const all = Servers.of(drawing.spec, found, drawing.source)
  if (all.length === 0) return empty
  const rows = all.map(
    (server) =>
      html`<li><div class="api-name"><code>${Servers.shown(server)}</code></div>${described(drawing, server.description)}</li>`
  )
  return html`<details class="api-section"><summary>${drawing.words.servers}</summary><ul class="api-fields">${rows}</ul></details>`
}

const places = ["path", "query", "header", "cookie"] as const

const parameters = (drawing: Drawing, { parameters }: SpecOperation): Html =>
  join(
    places.map((place) => {
      const rows = parameters
        .filter((parameter) => parameter.in === place)
        .slice(0, 200)
        .map((parameter) =>
          Schemas.field(
            drawing,
            {
              name: textOf(parameter.name),
              value: parameter.schema ?? Media.first(parameter)?.schema,
              isRequired: parameter.required === true,
              description: parameter.description,
              isDeprecated: parameter.deprecated === true,
              example: parameter.example
            },
            { way: "sent", above: [] }
          )
        )
      return rows.length === 0
        ? empty
        : part(drawing, drawing.words.parameters[place], html`<ul class="api-fields">${rows}</ul>`)
    })
  )

const body = (drawing: Drawing, operation: Fields): Html => {
  const found = drawing.spec.resolve(operation.requestBody)
  if (found === undefined) return empty
  const required = found.required === true && html`<p class="api-note">${drawing.words.required}</p>`
  return part(
    drawing,
    drawing.words.body,
    html`${required}${described(drawing, found.description)}${contents(drawing, found, "sent")}`
  )
}

/** Each type of content: its schema, and examples. */
const contents = (drawing: Drawing, holder: Fields, way: "sent" | "answered"): Html => {
  const { spec, words } = drawing
  const all = Media.all(holder)
  return join(
    all.map(([type, media], i) => {
      const examples = Examples.ofMedia(spec, type, media, way).map(({ title, text }) => ({
        title,
        block: code(drawing, text, /json/i.test(type) ? "json" : /xml/i.test(type) ? "xml" : "")
      }))
      const found = spec.resolve(media.schema)
      const shown = html`${media.schema !== undefined && html`<p class="api-note"><code>${SchemaRows.typeOf(spec, media.schema)}</code></p>`}${described(drawing, found?.description)}${Schemas.schema(drawing, media.schema, way)}${examples.length > 0 && html`<div class="api-example"><p class="api-note">${words.example}</p>${choice(drawing, examples)}</div>`}`
      const title = html`<code>${lineOf(type, 100)}</code>`
      return i === 0
        ? html`<p class="api-media">${title}</p>${shown}`
        : html`<details class="api-below"><summary>${title}</summary><div>${shown}</div></details>`
    })
  )
}

const responses = (drawing: Drawing, operation: Fields): Html => {
  const { spec, words } = drawing
  const all = Object.entries(fieldsOf(operation.responses)).slice(0, maxResponses)
  const shown = all.flatMap(([status, value]) => {
    const response = spec.resolve(value)
    if (response === undefined) return []
    const headers = Object.entries(fieldsOf(response.headers))
      .slice(0, 50)
      .flatMap(([name, value]) => {
        const header = spec.resolve(value)
        if (header === undefined) return []
        const { schema, description } = header
        return [
          Schemas.field(
            drawing,
            { name, value: schema, isRequired: false, description },
            { way: "answered", above: [] }
          )
        ]
      })
    // A short description stands in the summary alone.
    const isShort = lineOf(response.description, 100) === textOf(response.description).trim()
    const content = html`${!isShort && described(drawing, response.description)}${headers.length > 0 && html`<p class="api-note">${words.headers}</p><ul class="api-fields">${headers}</ul>`}${contents(drawing, response, "answered")}`
    const kind = /^[2345]/.exec(status)?.[0] ?? "x"
    const title = html`<span class="api-status of-${kind}">${lineOf(status, 20)}</span> <span>${phrase(drawing, lineOf(response.description, 100))}</span>`
    if (content.isEmpty) return [html`<p class="api-response">${title}</p>`]
    return [html`<details class="api-response"><summary>${title}</summary><div>${content}</div></details>`]
  })
  return part(drawing, words.responses, join(shown))
}

/** A call with all that it can't do without, and values to be replaced. */
const callOf = ({ spec, source }: Drawing, found: SpecOperation): Samples.Call => {
  const { verb, path, operation, parameters } = found
  const [server] = Servers.of(spec, found, source)
  const base = server === undefined ? "https://api.example.com" : Servers.shown(server)
  const valueOf = (parameter: Fields): string => {
    const value = parameter.example ?? Examples.of(spec, parameter.schema ?? Media.first(parameter)?.schema, "sent")
    return typeof value === "object" ? JSON.stringify(value) : String(value ?? "")
  }
  const named = new Map(parameters.filter((one) => one.in === "path").map((one) => [textOf(one.name), one]))
  const filled = lineOf(path, 500).replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const parameter = named.get(name)
    const value = parameter?.example === undefined ? undefined : valueOf(parameter)
    return value === undefined ? whole : encodeURIComponent(value.toWellFormed())
  })
  const required = (place: string) => parameters.filter((one) => one.in === place && one.required === true).slice(0, 30)
  const query = required("query").map(
    (one) => `${encodeURIComponent(lineOf(one.name, 200))}=${encodeURIComponent(lineOf(valueOf(one), 200))}`
  )
  const keys = keysOf(spec, operation)
  const [type, media] = Media.all(spec.resolve(operation.requestBody) ?? {})[0] ?? []
  const body =
    type === undefined || media === undefined
      ? undefined
      : Examples.ofMedia(spec, type, media, "sent", { isShort: true })[0]?.text
  return {
    method: verb.toUpperCase(),
    url: `${base.replace(/\/$/, "")}${filled}${[...query, ...keys.query].map((one, i) => (i === 0 ? "?" : "&") + one).join("")}`,
    headers: [
      ...keys.headers,
      ...required("header").map((one) => [lineOf(one.name, 200), lineOf(valueOf(one), 200)] as const),
      ...(body !== undefined && type !== undefined ? [["Content-Type", lineOf(type, 100)] as const] : [])
    ],
    ...(body !== undefined && { body })
  }
}

/** Credentials of the first set of schemes that is enough. */
const keysOf = (spec: Spec, { security }: Fields) => {
  const headers: Array<readonly [string, string]> = []
  const query: Array<string> = []
  const set = listOf(security ?? spec.document.security).find(isFields)
  const all = fieldsOf(fieldsOf(spec.document.components).securitySchemes)
  for (const name of Object.keys(set ?? {}).slice(0, 5)) {
    const scheme = Object.hasOwn(all, name) ? spec.resolve(all[name]) : undefined
    if (scheme === undefined) continue
    if (scheme.type === "apiKey") {
      const key = lineOf(scheme.name, 100)
      if (scheme.in === "header") headers.push([key, "YOUR_KEY"])
      else if (scheme.in === "query") query.push(`${encodeURIComponent(key)}=YOUR_KEY`)
      else headers.push(["Cookie", `${key}=YOUR_KEY`])
    } else if (scheme.type === "http" && textOf(scheme.scheme).toLowerCase() === "basic") {
      headers.push(["Authorization", "Basic YOUR_CREDENTIALS"])
    } else headers.push(["Authorization", "Bearer YOUR_TOKEN"])
  }
  return { headers, query }
}
