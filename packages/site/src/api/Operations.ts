/** Renders an operation or a webhook: URL, authorization, parameters, body, responses and sample calls. */
import * as SchemaFacts from "@lectern/core/computed/SchemaFacts"
import * as SpecMedia from "@lectern/core/computed/SpecMedia"
import { type Fields, fieldsOf, lineOf, type SpecOperation, textOf } from "@lectern/core/computed/SpecParser"
import { empty, type Html, html, join, trusted } from "../html/Html.ts"
import { renderTabs, codeBlock, renderDescription, type ApiRenderContext, renderPhrase } from "./ApiRenderContext.ts"
import * as Examples from "./Examples.ts"
import * as SampleCall from "./SampleCall.ts"
import * as CodeSamples from "./CodeSamples.ts"
import * as Schemas from "./Schemas.ts"
import * as Servers from "./Servers.ts"

const maxResponses = 50
/** Maximum number of responses with an example next to the sample calls. */
const maxSampleResponses = 5

export const renderOperation = (context: ApiRenderContext, specOperation: SpecOperation): Html => {
  const { messages } = context
  const { verb, path, operation } = specOperation
  const isWebhook = specOperation.method === "hook"
  const name = isWebhook
    ? html`${lineOf(path, 500)}`
    : join(
        lineOf(path, 500)
          .split(/(\{[^{}]*\})/)
          .map((part) => (part.startsWith("{") ? html`<b>${part}</b>` : part))
      )
  const deprecatedBadge = operation.deprecated === true && html`<span class="api-sign">${messages.deprecated}</span>`
  const samples = () => {
    const calls = renderTabs(
      context,
      CodeSamples.samplesFor(SampleCall.sampleCallOf(context, specOperation), operation).map(
        ({ title, syntax, text }) => ({
          title,
          block: codeBlock(context, text, syntax)
        })
      )
    )
    const responses = () => {
      const rendered = renderTabs(context, sampleResponses(context, operation))
      return rendered.isEmpty ? empty : html`<p class="api-note">${messages.responses}</p>${rendered}`
    }
    return html`<div class="api-samples">${calls}${responses}</div>`
  }
  const [server] = isWebhook ? [] : Servers.serversOf(context.spec, specOperation, context.source)
  const base = server && html`<span class="api-base">${Servers.displayUrl(server).replace(/\/$/, "")}</span>`
  return html`<section class="api"><div class="api-head"><span class="api-method ${verb}">${verb.toUpperCase()}</span><code>${base}${name}</code>${deprecatedBadge}${context.tryButton?.(specOperation)}</div>${renderDescription(context, operation.description)}${
    !isWebhook && samples
  }${!isWebhook && (() => renderAuthorization(context, operation))}${!isWebhook && (() => renderServers(context, specOperation))}${() => renderParameters(context, specOperation)}${() => renderBody(context, operation)}${() => renderResponses(context, operation, !isWebhook)}${() => renderCallbacks(context, operation)}</section>`
}

/** Returns the first example of each of the first responses, with the status as title. */
const sampleResponses = (context: ApiRenderContext, operation: Fields) =>
  Object.entries(fieldsOf(operation.responses))
    .slice(0, maxSampleResponses)
    .flatMap(([status, value]) => {
      const [content] = SpecMedia.contentTypes(context.spec.resolve(value) ?? {})
      const [example] = content === undefined ? [] : examplesOf(context, ...content, "response")
      return example === undefined ? [] : [{ title: lineOf(status, 20), block: example.block }]
    })

const examplesOf = (context: ApiRenderContext, type: string, media: Fields, direction: "request" | "response") =>
  Examples.mediaExamples(context.reader, type, media, direction).map(({ title, text }) => ({
    title,
    block: codeBlock(context, text, /json/i.test(type) ? "json" : /xml/i.test(type) ? "xml" : "")
  }))

const section = ({ level }: ApiRenderContext, title: string, content: Html): Html => {
  const name = trusted(`h${level}`)
  return content.isEmpty ? empty : html`<div class="api-section"><${name}>${title}</${name}>${content}</div>`
}

/** Renders sets of security schemes. Each set is sufficient. */
const renderAuthorization = (context: ApiRenderContext, operation: Fields): Html => {
  const { spec, messages } = context
  const rendered = SpecMedia.securityOf(spec, operation).map((set, i) => {
    const rows = set.map(
      ({ name, scheme, scopes }) =>
        html`<li><div class="api-name"><code>${lineOf(name, 100)}</code> <span class="api-type">${scheme && schemeText(scheme)}</span></div>${renderDescription(context, scheme?.description)}${renderFlows(scheme)}${scopes.map((scope) => renderScope(context, scheme, scope))}</li>`
    )
    return html`${i > 0 && html`<p class="api-note">${messages.either}</p>`}${rows.length === 0 ? html`<p class="api-note">${messages.optional}</p>` : html`<ul class="api-fields">${rows}</ul>`}`
  })
  return section(context, messages.authorization, join(rendered))
}

/** Renders a scope with the description from its security scheme. */
const renderScope = (context: ApiRenderContext, scheme: Fields | undefined, scope: string): Html => {
  const scopeDescription = Object.values(fieldsOf(scheme?.flows))
    .slice(0, 5)
    .map((flow) => lineOf(fieldsOf(fieldsOf(flow).scopes)[scope], 300))
    .find((text) => text !== "")
  return html`<p class="api-fact"><code>${lineOf(scope, 100)}</code>${scopeDescription !== undefined && html` ${renderPhrase(context, scopeDescription)}`}</p>`
}

const schemeText = (scheme: Fields): string => {
  const location = `${lineOf(scheme.in, 20)}: ${lineOf(scheme.name, 100)}`
  if (scheme.type === "apiKey") return location
  if (scheme.type === "http") return `header: Authorization: ${lineOf(scheme.scheme, 30)}`
  return lineOf(scheme.type, 30)
}

const renderFlows = (scheme: Fields | undefined): Html => {
  const urls = Object.values(fieldsOf(scheme?.flows))
    .slice(0, 5)
    .flatMap((flow) =>
      ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"].map((name) => fieldsOf(flow)[name])
    )
  const texts = [scheme?.openIdConnectUrl, ...urls].map((url) => lineOf(url, 500)).filter((url) => url !== "")
  return join([...new Set(texts)].map((url) => html`<p class="api-fact"><code>${url}</code></p>`))
}

const renderServers = (context: ApiRenderContext, specOperation: SpecOperation): Html => {
  const all = Servers.serversOf(context.spec, specOperation, context.source)
  const [first] = all
  // A single server without details is in the head.
  const isInHead = all.length === 1 && first!.variables.length === 0 && textOf(first!.description) === ""
  if (first === undefined || isInHead) return empty
  const rows = all.map(
    (server) =>
      html`<li><div class="api-name"><code>${Servers.displayUrl(server)}</code></div>${renderDescription(context, server.description)}${server.variables.map((variable) => renderVariable(context, variable))}</li>`
  )
  return html`<details class="api-section"><summary>${context.messages.servers}</summary><ul class="api-fields">${rows}</ul></details>`
}

const renderVariable = (context: ApiRenderContext, { name, values, description }: Servers.NamedVariable): Html =>
  html`<p class="api-fact"><code>{${lineOf(name, 100)}}</code> ${values.map((value, i) => html`${i > 0 && " "}<code>${lineOf(value, 200)}</code>`)} ${renderPhrase(context, lineOf(description, 300))}</p>`

const parameterLocations = ["path", "query", "header", "cookie"] as const

const renderParameters = (context: ApiRenderContext, { parameters }: Pick<SpecOperation, "parameters">): Html =>
  join(
    parameterLocations.map((location) => {
      const rows = parameters
        .filter((parameter) => parameter.in === location)
        .slice(0, 200)
        .map((parameter) =>
          Schemas.renderField(
            context,
            {
              name: textOf(parameter.name),
              value: SpecMedia.schemaOf(parameter),
              isRequired: parameter.required === true,
              description: parameter.description,
              isDeprecated: parameter.deprecated === true,
              examples: SpecMedia.examplesOf(context.spec, parameter)
            },
            Schemas.rootPosition("request")
          )
        )
      return rows.length === 0
        ? empty
        : section(context, context.messages.parameters[location], html`<ul class="api-fields">${join(rows)}</ul>`)
    })
  )

const renderBody = (context: ApiRenderContext, operation: Fields): Html => {
  const requestBody = context.spec.resolve(operation.requestBody)
  if (requestBody === undefined) return empty
  const requiredNote = requestBody.required === true && html`<p class="api-note">${context.messages.required}</p>`
  return section(
    context,
    context.messages.body,
    html`${requiredNote}${renderDescription(context, requestBody.description)}${renderContents(context, requestBody, "request")}`
  )
}

/**
 * Renders each content type with its schema and examples. `isSampled`: true if the first example of the first content
 * type is next to the sample calls.
 */
const renderContents = (
  context: ApiRenderContext,
  holder: Fields,
  direction: "request" | "response",
  isSampled = false
): Html => {
  const { messages } = context
  return join(
    SpecMedia.contentTypes(holder).map(([type, media], i) => () => {
      context.budget.startBody()
      const all = examplesOf(context, type, media, direction)
      const examples = isSampled && i === 0 && all.length === 1 ? [] : all
      // Several examples have their names on tabs.
      const name = examples.length === 1 && examples[0]!.title !== type ? examples[0]!.title : undefined
      const externalExamples = SpecMedia.examplesOf(context.spec, media).filter(({ external }) => external !== "")
      const encodings = Object.entries(fieldsOf(media.encoding))
        .slice(0, 50)
        .map(
          ([name, encoding]) =>
            html`<p class="api-fact"><code>${lineOf(name, 200)}</code> ${SchemaFacts.encodingOf(encoding)}</p>`
        )
      const rendered = html`${media.schema !== undefined && Schemas.renderWholeSchema(context, media.schema, Schemas.rootPosition(direction))}${encodings}${externalExamples.map(({ external }) => html`<p class="api-fact">${messages.example}: <code>${external}</code></p>`)}${examples.length > 0 && html`<div class="api-example"><p class="api-note">${messages.example}${name !== undefined && ` (${name})`}</p>${renderTabs(context, examples)}</div>`}`
      const title = html`<code>${lineOf(type, 100)}</code>`
      return i === 0
        ? html`<p class="api-media">${title}</p>${rendered}`
        : html`<details class="api-below"><summary>${title}</summary><div>${rendered}</div></details>`
    })
  )
}

const renderResponses = (context: ApiRenderContext, operation: Fields, hasSamples: boolean): Html => {
  const { spec, messages } = context
  const all = Object.entries(fieldsOf(operation.responses)).slice(0, maxResponses)
  const rendered = all.map(([status, value], i) => () => {
    const response = spec.resolve(value)
    if (response === undefined) return empty
    const headers = Object.entries(fieldsOf(response.headers))
      .slice(0, 50)
      .flatMap(([name, value]) => {
        const header = spec.resolve(value)
        if (header === undefined) return []
        return [
          Schemas.renderField(
            context,
            {
              name,
              value: SpecMedia.schemaOf(header),
              isRequired: header.required === true,
              description: header.description,
              isDeprecated: header.deprecated === true,
              examples: SpecMedia.examplesOf(spec, header)
            },
            Schemas.rootPosition("response")
          )
        ]
      })
    // A short description is shown only in the summary.
    const isShort = lineOf(response.description, 100) === textOf(response.description).trim()
    const content = html`${!isShort && renderDescription(context, response.description)}${headers.length > 0 && html`<p class="api-note">${messages.headers}</p><ul class="api-fields">${join(headers)}</ul>`}${renderContents(context, response, "response", hasSamples && i < maxSampleResponses)}${renderLinks(context, response)}`
    const kind = /^[2345]/.exec(status)?.[0] ?? "x"
    const title = html`<span class="api-status of-${kind}">${lineOf(status, 20)}</span> <span>${renderPhrase(context, lineOf(response.description, 100))}</span>`
    return content.isEmpty
      ? html`<p class="api-response">${title}</p>`
      : html`<details class="api-response"><summary>${title}</summary><div>${content}</div></details>`
  })
  return section(context, messages.responses, join(rendered))
}

const renderLinks = (context: ApiRenderContext, response: Fields): Html => {
  const { spec, messages } = context
  const rows = SpecMedia.linksOf(spec, response).map(
    ({ name, operation, parameters, description }) =>
      html`<li><div class="api-name"><code>${name}</code> <span class="api-type">${operation}</span></div>${renderDescription(context, description)}${parameters.map(([parameter, value]) => html`<p class="api-fact"><code>${parameter} = ${value}</code></p>`)}</li>`
  )
  return rows.length === 0 ? empty : html`<p class="api-note">${messages.links}</p><ul class="api-fields">${rows}</ul>`
}

/** Renders the callbacks of an operation, with their requests and responses. */
const renderCallbacks = (context: ApiRenderContext, operation: Fields): Html => {
  const rows = SpecMedia.callbacks(context.spec, operation).map(
    ({ name, url, operation: specOperation }) =>
      () =>
        html`<details class="api-below"><summary><code>${name}</code> <span class="api-method ${specOperation.verb}">${specOperation.verb.toUpperCase()}</span> <code>${lineOf(url, 500)}</code></summary><div>${renderDescription(context, specOperation.operation.description ?? specOperation.operation.summary)}${() => renderParameters(context, specOperation)}${() => renderBody(context, specOperation.operation)}${() => renderResponses(context, specOperation.operation, false)}</div></details>`
  )
  return section(context, context.messages.callbacks, join(rows))
}
