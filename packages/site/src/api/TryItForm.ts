/**
 * Form that tries an operation. It is rendered when a reader opens it. The script `client/tryIt.ts` creates a call from
 * its fields; `data-` attributes state where each value belongs.
 *
 * Limits: 200 parameters, 100 body fields, 200 values per choice, 10 sets of security schemes, 10 content types.
 */
import * as SpecMedia from "@lectern/core/computed/SpecMedia"
import {
  type Fields,
  fieldsOf,
  isFields,
  lineOf,
  listOf,
  type Spec,
  type SpecOperation,
  textOf
} from "@lectern/core/computed/SpecParser"
import { isRequired, SchemaReader, type SpecSchema, typesOf } from "@lectern/core/computed/SpecSchema"
import { attributes, type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import * as Examples from "./Examples.ts"
import * as Servers from "./Servers.ts"
import type { CallOptions } from "./TryIt.ts"
import type { ApiMessages, TryMessages } from "../page/messages/Messages.ts"

const maxParameters = 200
const maxFields = 100
const maxValues = 200
const maxSets = 10

export interface TryItFormInput {
  readonly spec: Spec
  readonly specOperation: SpecOperation
  readonly callOptions: CallOptions
  readonly messages: ApiMessages
  /** Label of the button that closes the form. */
  readonly close: string
  /** URLs of the form's files. */
  readonly assets: { readonly css: string; readonly script: string }
}

interface FormContext extends TryItFormInput {
  readonly reader: SchemaReader
}

export const renderForm = (input: TryItFormInput): Html => {
  const context: FormContext = { ...input, reader: new SchemaReader(input.spec) }
  const { specOperation, callOptions, messages, assets } = context
  const tryMessages = messages.try
  const { verb, path } = specOperation
  const statusTexts = {
    failed: tryMessages.failed,
    failedProxy: tryMessages.failedProxy,
    cut: tryMessages.cut,
    nothing: tryMessages.nothing,
    bytes: tryMessages.bytes,
    sending: tryMessages.sending,
    headers: messages.headers,
    body: messages.body
  }
  const data = Object.fromEntries(Object.entries(statusTexts).map(([name, text]) => [`data-${name}`, text]))
  return html`<link rel="stylesheet" href="${assets.css}">
    <div class="try"${attributes({ "data-script": assets.script, "data-method": verb.toUpperCase(), "data-path": path, "data-proxied": callOptions.isProxied, ...data })}>
      <header>
        <span class="api-method ${verb}">${verb.toUpperCase()}</span>
        <code>${lineOf(path, 500)}</code>
        <button class="icon-button" type="button" value="close" aria-label="${context.close}">${Icons.close}</button>
      </header>
      <div class="try-parts">
        <form autocomplete="off">
          ${renderServers(context)}
          ${renderAuthorization(context)}
          ${renderParameters(context)}
          ${renderBody(context)}
          <p class="try-note">${callOptions.isProxied ? tryMessages.proxied : tryMessages.direct}</p>
          <button class="try-send" type="submit">${tryMessages.send}</button>
        </form>
        <section class="try-answer" aria-label="${tryMessages.answer}" tabindex="0"><h2>${tryMessages.answer}</h2><div role="status"></div><div></div></section>
      </div>
    </div>`
}

const renderGroup = (title: string, content: Html | ReadonlyArray<Html>, data: Record<string, string> = {}): Html =>
  html`<fieldset${attributes(data)}><legend>${title}</legend>${content}</fieldset>`

const renderLabel = (name: Html | string, control: Html, hint: string | false = false): Html =>
  html`<label><span>${name}</span>${control}${hint !== false && html`<small>${hint}</small>`}</label>`

const renderOptions = (values: ReadonlyArray<string>, isRequired: boolean): Html =>
  html`${!isRequired && html`<option></option>`}${values.map((value) => html`<option>${value}</option>`)}`

const renderServers = ({ callOptions, messages: { try: tryMessages } }: FormContext): Html => {
  const all = callOptions.servers.map(
    (server, i) => html`<option value="${i}" data-template="${server.template}">${Servers.displayUrl(server)}</option>`
  )
  const variables = callOptions.servers.flatMap((server, i) =>
    server.variables.flatMap(({ name, values }) =>
      values.length < 2
        ? [
            html`<input type="hidden" data-in="server" data-of="${i}"${attributes({ "data-name": name, value: values[0] ?? "" })}>`
          ]
        : [
            html`<label data-server="${i}"${attributes({ hidden: i > 0 })}><span>${name}</span><select data-in="server" data-of="${i}" data-name="${name}">${renderOptions(values, true)}</select></label>`
          ]
    )
  )
  return renderGroup(
    tryMessages.server,
    html`<select name="server" aria-label="${tryMessages.server}">${all}</select>${variables}`
  )
}

/** Renders a choice between sets of security schemes. Each set is sufficient. */
const renderAuthorization = ({ spec, specOperation, messages }: FormContext): Html | false => {
  const tryMessages = messages.try
  const all = fieldsOf(fieldsOf(spec.document.components).securitySchemes)
  const sets = listOf(specOperation.operation.security ?? spec.document.security)
    .filter(isFields)
    .slice(0, maxSets)
    .map((set) => Object.keys(set).slice(0, 10))
  if (sets.every((names) => names.length === 0)) return false
  const renderedSets = sets.map((names, i) => {
    const fields = names.map((name) =>
      renderCredential(name, Object.hasOwn(all, name) ? spec.resolve(all[name]) : undefined, tryMessages)
    )
    return html`<div data-set="${i}"${attributes({ hidden: i > 0 })}>${fields}</div>`
  })
  const choice =
    sets.length > 1 &&
    html`<select name="set" aria-label="${messages.authorization}">${sets.map((names, i) => html`<option value="${i}">${names.length === 0 ? tryMessages.none : lineOf(names.join(" + "), 200)}</option>`)}</select>`
  return renderGroup(messages.authorization, html`${choice}${renderedSets}`)
}

const renderCredential = (name: string, scheme: Fields | undefined, tryMessages: TryMessages): Html => {
  const title = lineOf(name, 100)
  const field = (data: Record<string, string>, type: "password" | "text", text: string, ending = "") =>
    renderLabel(
      html`${title}${ending && ` · ${ending}`}`,
      html`<input type="${type}" autocomplete="off" spellcheck="false"${attributes({ "data-scheme": name, ...data })} placeholder="${text}">`
    )
  if (scheme === undefined) return html``
  if (scheme.type === "apiKey") {
    const key = lineOf(scheme.name, 100)
    if (scheme.in !== "header" && scheme.in !== "query")
      return html`<p class="try-note">${title}: ${tryMessages.cookies}</p>`
    return field({ "data-in": scheme.in, "data-name": key }, "password", key)
  }
  if (scheme.type === "http" && textOf(scheme.scheme).toLowerCase() === "basic") {
    return html`${field({ "data-in": "basic-user" }, "text", tryMessages.user, tryMessages.user)}${field({ "data-in": "basic-password" }, "password", tryMessages.password, tryMessages.password)}`
  }
  return field({ "data-in": "bearer" }, "password", tryMessages.token)
}

const parameterLocations = ["path", "query", "header"] as const

const renderParameters = (context: FormContext): ReadonlyArray<Html> => {
  const { specOperation, messages } = context
  const tryMessages = messages.try
  const cookies = specOperation.parameters.some((parameter) => parameter.in === "cookie")
  const groups = parameterLocations.flatMap((location) => {
    const fields = specOperation.parameters
      .filter((parameter) => parameter.in === location)
      .slice(0, maxParameters)
      .map((parameter) => renderParameter(context, parameter, location))
    return fields.length === 0 ? [] : [renderGroup(messages.parameters[location], fields)]
  })
  return cookies
    ? [...groups, html`<p class="try-note">${messages.parameters.cookie}: ${tryMessages.cookies}</p>`]
    : groups
}

const renderParameter = (context: FormContext, parameter: Fields, location: string): Html => {
  const { reader, spec } = context
  const [media] = SpecMedia.contentTypes(parameter)
  const schema = SpecMedia.schemaOf(parameter)
  const isRequired = parameter.required === true || location === "path"
  const isForm = location === "query"
  const style = textOf(parameter.style) || (isForm ? "form" : "simple")
  const isExploded = typeof parameter.explode === "boolean" ? parameter.explode : style === "form"
  return renderValue(context, {
    name: textOf(parameter.name),
    schema,
    isRequired,
    example: isRequired ? (parameterExample(spec, parameter) ?? schemaExample(reader.resolve(schema))) : undefined,
    data: {
      "data-in": location,
      "data-style": parameter.schema === undefined && media !== undefined ? "json" : style,
      "data-explode": isExploded ? "" : undefined
    }
  })
}

/**
 * Returns a value from the specification. Generated values are not filled in, since they could be real data of a
 * person.
 */
const schemaExample = ({ fields }: SpecSchema): unknown =>
  fields.example ?? listOf(fields.examples)[0] ?? fields.const ?? fields.default

const parameterExample = (spec: Spec, parameter: Fields): unknown =>
  SpecMedia.examplesOf(spec, parameter).find(({ value }) => value !== undefined)?.value

interface ValueInput {
  readonly name: string
  readonly schema: unknown
  readonly isRequired: boolean
  readonly example: unknown
  readonly data: Readonly<Record<string, string | undefined>>
}

/** Renders a control for the type of a value. */
const renderValue = (
  { reader, messages }: FormContext,
  { name, schema, isRequired, example, data }: ValueInput
): Html => {
  const specSchema = reader.resolve(schema)
  const type = typeOf(specSchema)
  const inputAttributes = { ...data, "data-name": name, "data-type": type, required: isRequired && type !== "boolean" }
  const title = html`${lineOf(name, 200)}${isRequired && html` <em>${messages.required}</em>`}`
  const enumValues = listOf(type === "array" ? undefined : specSchema.fields.enum).filter(
    (item) => !isFields(item) && !Array.isArray(item)
  )
  const toText = (item: unknown) =>
    (item === undefined || item === null
      ? ""
      : typeof item === "object"
        ? JSON.stringify(item)
        : String(item)
    ).toWellFormed()
  if (enumValues.length > 0 || type === "boolean") {
    const all = enumValues.length > 0 ? enumValues.slice(0, maxValues).map(toText) : ["true", "false"]
    return renderLabel(title, html`<select${attributes(inputAttributes)}>${renderOptions(all, isRequired)}</select>`)
  }
  if (type === "object") {
    const text = typeof example === "object" && example !== null ? JSON.stringify(example) : ""
    return renderLabel(
      title,
      html`<textarea rows="2" spellcheck="false"${attributes(inputAttributes)} placeholder="{ }">${text.slice(0, 2_000)}</textarea>`
    )
  }
  if (type === "array") {
    const text = listOf(example)
      .filter((item) => !isFields(item) && !Array.isArray(item))
      .map(toText)
      .join(",")
    return renderLabel(
      title,
      html`<input${attributes({ ...inputAttributes, value: text.slice(0, 2_000) })}>`,
      messages.try.commas
    )
  }
  if (type === "file") return renderLabel(title, html`<input type="file"${attributes(inputAttributes)}>`)
  const inputmode = type === "number" ? "decimal" : undefined
  return renderLabel(
    title,
    html`<input spellcheck="false"${attributes({ ...inputAttributes, inputmode, value: toText(example).slice(0, 2_000) })}>`
  )
}

const typeOf = (specSchema: SpecSchema): "array" | "boolean" | "file" | "number" | "object" | "text" => {
  const { fields } = specSchema
  const type = typesOf(specSchema).find((item) => item !== "null")
  if (type === "array" || type === "object" || type === "boolean") return type
  if (type === "integer" || type === "number") return "number"
  return type === "string" && (fields.format === "binary" || fields.contentMediaType !== undefined) ? "file" : "text"
}

const renderBody = (context: FormContext): Html | false => {
  const { spec, specOperation, messages } = context
  const all = SpecMedia.contentTypes(spec.resolve(specOperation.operation.requestBody) ?? {})
  if (all.length === 0) return false
  const parts = all.map(
    ([type, media], i) =>
      html`<div data-media="${type}"${attributes({ hidden: i > 0 })}>${SpecMedia.isForm(type) ? renderFormFields(context, media) : renderTextBody(context, type, media)}</div>`
  )
  const choice = html`<select name="media" aria-label="${messages.body}">${all.map(([type]) => html`<option>${type}</option>`)}</select>`
  return renderGroup(messages.body, html`${choice}${parts}`)
}

const renderTextBody = ({ reader, messages }: FormContext, type: string, media: Fields): Html => {
  const [example] = Examples.mediaExamples(reader, type, media, "request", { onlyRequired: true })
  return html`<textarea rows="10" spellcheck="false" data-in="body" aria-label="${messages.body}">${example?.text}</textarea>`
}

/** Renders the fields of a form body. The script does not send empty fields. */
const renderFormFields = (context: FormContext, media: Fields): ReadonlyArray<Html> => {
  const { reader } = context
  const schema = reader.resolve(media.schema)
  return Object.entries(fieldsOf(schema.fields.properties))
    .filter(([, property]) => reader.resolve(property).fields.readOnly !== true)
    .sort(([a], [b]) => Number(isRequired(schema, b)) - Number(isRequired(schema, a)))
    .slice(0, maxFields)
    .map(([name, property]) => {
      const isNeeded = isRequired(schema, name)
      const example = isNeeded ? schemaExample(reader.resolve(property)) : undefined
      return renderValue(context, {
        name,
        schema: property,
        isRequired: isNeeded,
        example,
        data: { "data-in": "form" }
      })
    })
}
