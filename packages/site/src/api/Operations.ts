/** Renders an operation or a webhook: URL, authorization, parameters, body, responses and sample calls. */
import * as SchemaFacts from "@lectern/core/computed/SchemaFacts"
import * as SpecMedia from "@lectern/core/computed/SpecMedia"
import { type Fields, fieldsOf, lineOf, type SpecOperation, textOf } from "@lectern/core/computed/SpecReading"
import { empty, type Html, html, join, trusted } from "../html/Html.ts"
import { choice, code, described, type Drawing, phrase } from "./ApiRenderContext.ts"
import * as Examples from "./Examples.ts"
import * as SampleCall from "./SampleCall.ts"
import * as CodeSamples from "./CodeSamples.ts"
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
  const samples = () => {
    const shown = choice(
      drawing,
      CodeSamples.of(SampleCall.of(drawing, found), operation).map(({ title, syntax, text }) => ({
        title,
        block: code(drawing, text, syntax)
      }))
    )
    return !shown.isEmpty && html`<div class="api-samples">${shown}</div>`
  }
  return html`<section class="api"><div class="api-head"><span class="api-method ${verb}">${verb.toUpperCase()}</span><code>${name}</code>${deprecated}${drawing.tryButton?.(found)}</div>${described(drawing, operation.description)}${
    !isHook && samples
  }${!isHook && (() => authorization(drawing, operation))}${!isHook && (() => servers(drawing, found))}${() => parameters(drawing, found)}${() => body(drawing, operation)}${() => responses(drawing, operation)}${() => callbacks(drawing, operation)}</section>`
}

const part = ({ level }: Drawing, title: string, content: Html): Html => {
  const name = trusted(`h${level}`)
  return content.isEmpty ? empty : html`<div class="api-section"><${name}>${title}</${name}>${content}</div>`
}

/** Renders sets of security schemes. Each set is sufficient. */
const authorization = (drawing: Drawing, operation: Fields): Html => {
  const { spec, words } = drawing
  const shown = SpecMedia.securityOf(spec, operation).map((set, i) => {
    const rows = set.map(
      ({ name, scheme, scopes }) =>
        html`<li><div class="api-name"><code>${lineOf(name, 100)}</code> <span class="api-type">${scheme && schemeOf(scheme)}</span></div>${described(drawing, scheme?.description)}${flows(scheme)}${scopes.map((scope) => scopeOf(drawing, scheme, scope))}</li>`
    )
    return html`${i > 0 && html`<p class="api-note">${words.either}</p>`}${rows.length === 0 ? html`<p class="api-note">${words.optional}</p>` : html`<ul class="api-fields">${rows}</ul>`}`
  })
  return part(drawing, words.authorization, join(shown))
}

/** Renders a scope with the description from its security scheme. */
const scopeOf = (drawing: Drawing, scheme: Fields | undefined, scope: string): Html => {
  const about = Object.values(fieldsOf(scheme?.flows))
    .slice(0, 5)
    .map((flow) => lineOf(fieldsOf(fieldsOf(flow).scopes)[scope], 300))
    .find((text) => text !== "")
  return html`<p class="api-fact"><code>${lineOf(scope, 100)}</code>${about !== undefined && html` ${phrase(drawing, about)}`}</p>`
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
    .flatMap((flow) =>
      ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"].map((name) => fieldsOf(flow)[name])
    )
  const shown = [scheme?.openIdConnectUrl, ...urls].map((url) => lineOf(url, 500)).filter((url) => url !== "")
  return join([...new Set(shown)].map((url) => html`<p class="api-fact"><code>${url}</code></p>`))
}

const servers = (drawing: Drawing, found: SpecOperation): Html => {
  const all = Servers.of(drawing.spec, found, drawing.source)
  if (all.length === 0) return empty
  const rows = all.map(
    (server) =>
      html`<li><div class="api-name"><code>${Servers.shown(server)}</code></div>${described(drawing, server.description)}${server.variables.map((variable) => variableOf(drawing, variable))}</li>`
  )
  return html`<details class="api-section"><summary>${drawing.words.servers}</summary><ul class="api-fields">${rows}</ul></details>`
}

const variableOf = (drawing: Drawing, { name, values, description }: Servers.NamedVariable): Html =>
  html`<p class="api-fact"><code>{${lineOf(name, 100)}}</code> ${values.map((value, i) => html`${i > 0 && " "}<code>${lineOf(value, 200)}</code>`)} ${phrase(drawing, lineOf(description, 300))}</p>`

const places = ["path", "query", "header", "cookie"] as const

const parameters = (drawing: Drawing, { parameters }: Pick<SpecOperation, "parameters">): Html =>
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
              value: SpecMedia.schemaOf(parameter),
              isRequired: parameter.required === true,
              description: parameter.description,
              isDeprecated: parameter.deprecated === true,
              examples: SpecMedia.examplesOf(drawing.spec, parameter)
            },
            Schemas.outermost("sent")
          )
        )
      return rows.length === 0
        ? empty
        : part(drawing, drawing.words.parameters[place], html`<ul class="api-fields">${join(rows)}</ul>`)
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

/** Renders each content type with its schema and examples. */
const contents = (drawing: Drawing, holder: Fields, way: "sent" | "answered"): Html => {
  const { reader, words } = drawing
  const all = SpecMedia.contentTypes(holder)
  return join(
    all.map(([type, media], i) => () => {
      drawing.budget.beginBody()
      const examples = Examples.ofMedia(reader, type, media, way).map(({ title, text }) => ({
        title,
        block: code(drawing, text, /json/i.test(type) ? "json" : /xml/i.test(type) ? "xml" : "")
      }))
      // Several examples have their names on tabs.
      const name = examples.length === 1 && examples[0]!.title !== type ? examples[0]!.title : undefined
      const elsewhere = SpecMedia.examplesOf(drawing.spec, media).filter(({ external }) => external !== "")
      const encodings = Object.entries(fieldsOf(media.encoding))
        .slice(0, 50)
        .map(
          ([name, encoding]) =>
            html`<p class="api-fact"><code>${lineOf(name, 200)}</code> ${SchemaFacts.encodingOf(encoding)}</p>`
        )
      const shown = html`${media.schema !== undefined && Schemas.whole(drawing, media.schema, Schemas.outermost(way))}${encodings}${elsewhere.map(({ external }) => html`<p class="api-fact">${words.example}: <code>${external}</code></p>`)}${examples.length > 0 && html`<div class="api-example"><p class="api-note">${words.example}${name !== undefined && ` (${name})`}</p>${choice(drawing, examples)}</div>`}`
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
  const shown = all.map(([status, value]) => () => {
    const response = spec.resolve(value)
    if (response === undefined) return empty
    const headers = Object.entries(fieldsOf(response.headers))
      .slice(0, 50)
      .flatMap(([name, value]) => {
        const header = spec.resolve(value)
        if (header === undefined) return []
        return [
          Schemas.field(
            drawing,
            {
              name,
              value: SpecMedia.schemaOf(header),
              isRequired: header.required === true,
              description: header.description,
              isDeprecated: header.deprecated === true,
              examples: SpecMedia.examplesOf(spec, header)
            },
            Schemas.outermost("answered")
          )
        ]
      })
    // A short description is shown only in the summary.
    const isShort = lineOf(response.description, 100) === textOf(response.description).trim()
    const content = html`${!isShort && described(drawing, response.description)}${headers.length > 0 && html`<p class="api-note">${words.headers}</p><ul class="api-fields">${join(headers)}</ul>`}${contents(drawing, response, "answered")}${links(drawing, response)}`
    const kind = /^[2345]/.exec(status)?.[0] ?? "x"
    const title = html`<span class="api-status of-${kind}">${lineOf(status, 20)}</span> <span>${phrase(drawing, lineOf(response.description, 100))}</span>`
    return content.isEmpty
      ? html`<p class="api-response">${title}</p>`
      : html`<details class="api-response"><summary>${title}</summary><div>${content}</div></details>`
  })
  return part(drawing, words.responses, join(shown))
}

const links = (drawing: Drawing, response: Fields): Html => {
  const { spec, words } = drawing
  const rows = SpecMedia.linksOf(spec, response).map(
    ({ name, operation, parameters, description }) =>
      html`<li><div class="api-name"><code>${name}</code> <span class="api-type">${operation}</span></div>${described(drawing, description)}${parameters.map(([parameter, value]) => html`<p class="api-fact"><code>${parameter} = ${value}</code></p>`)}</li>`
  )
  return rows.length === 0 ? empty : html`<p class="api-note">${words.links}</p><ul class="api-fields">${rows}</ul>`
}

/** Renders the callbacks of an operation, with their requests and responses. */
const callbacks = (drawing: Drawing, operation: Fields): Html => {
  const rows = SpecMedia.callbacks(drawing.spec, operation).map(
    ({ name, url, found }) =>
      () =>
        html`<details class="api-below"><summary><code>${name}</code> <span class="api-method ${found.verb}">${found.verb.toUpperCase()}</span> <code>${lineOf(url, 500)}</code></summary><div>${described(drawing, found.operation.description ?? found.operation.summary)}${() => parameters(drawing, found)}${() => body(drawing, found.operation)}${() => responses(drawing, found.operation)}</div></details>`
  )
  return part(drawing, drawing.words.callbacks, join(rows))
}
