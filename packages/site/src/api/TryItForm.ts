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
} from "@lectern/core/computed/SpecReading"
import { isRequired, SchemaReader, type SpecSchema, typesOf } from "@lectern/core/computed/SpecSchema"
import { attributes, type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import * as Examples from "./Examples.ts"
import * as Servers from "./Servers.ts"
import type { Tried } from "./TryIt.ts"
import type { ApiMessages, TryMessages } from "../page/messages/Messages.ts"

const maxParameters = 200
const maxFields = 100
const maxValues = 200
const maxSets = 10

export interface Form {
  readonly spec: Spec
  readonly found: SpecOperation
  readonly tried: Tried
  readonly words: ApiMessages
  /** Label of the button that closes the form. */
  readonly close: string
  /** URLs of the form's files. */
  readonly assets: { readonly css: string; readonly script: string }
}

interface ReadForm extends Form {
  readonly reader: SchemaReader
}

export const form = (given: Form): Html => {
  const shown: ReadForm = { ...given, reader: new SchemaReader(given.spec) }
  const { found, tried, words, assets } = shown
  const texts = words.try
  const { verb, path } = found
  const told = {
    failed: texts.failed,
    failedProxy: texts.failedProxy,
    cut: texts.cut,
    nothing: texts.nothing,
    bytes: texts.bytes,
    sending: texts.sending,
    headers: words.headers,
    body: words.body
  }
  const data = Object.fromEntries(Object.entries(told).map(([name, text]) => [`data-${name}`, text]))
  return html`<link rel="stylesheet" href="${assets.css}">
    <div class="try"${attributes({ "data-script": assets.script, "data-method": verb.toUpperCase(), "data-path": path, "data-proxied": tried.isProxied, ...data })}>
      <header>
        <span class="api-method ${verb}">${verb.toUpperCase()}</span>
        <code>${lineOf(path, 500)}</code>
        <button class="icon-button" type="button" value="close" aria-label="${shown.close}">${Icons.close}</button>
      </header>
      <div class="try-parts">
        <form autocomplete="off">
          ${servers(shown)}
          ${authorization(shown)}
          ${parameters(shown)}
          ${body(shown)}
          <p class="try-note">${tried.isProxied ? texts.proxied : texts.direct}</p>
          <button class="try-send" type="submit">${texts.send}</button>
        </form>
        <section class="try-answer" aria-label="${texts.answer}" tabindex="0"><h2>${texts.answer}</h2><div role="status"></div><div></div></section>
      </div>
    </div>`
}

const group = (title: string, content: Html | ReadonlyArray<Html>, data: Record<string, string> = {}): Html =>
  html`<fieldset${attributes(data)}><legend>${title}</legend>${content}</fieldset>`

const label = (name: Html | string, control: Html, hint: string | false = false): Html =>
  html`<label><span>${name}</span>${control}${hint !== false && html`<small>${hint}</small>`}</label>`

const options = (values: ReadonlyArray<string>, isRequired: boolean): Html =>
  html`${!isRequired && html`<option></option>`}${values.map((value) => html`<option>${value}</option>`)}`

const servers = ({ tried, words: { try: texts } }: ReadForm): Html => {
  const all = tried.servers.map(
    (server, i) => html`<option value="${i}" data-template="${server.template}">${Servers.shown(server)}</option>`
  )
  const variables = tried.servers.flatMap((server, i) =>
    server.variables.flatMap(({ name, values }) =>
      values.length < 2
        ? [
            html`<input type="hidden" data-in="server" data-of="${i}"${attributes({ "data-name": name, value: values[0] ?? "" })}>`
          ]
        : [
            html`<label data-server="${i}"${attributes({ hidden: i > 0 })}><span>${name}</span><select data-in="server" data-of="${i}" data-name="${name}">${options(values, true)}</select></label>`
          ]
    )
  )
  return group(texts.server, html`<select name="server" aria-label="${texts.server}">${all}</select>${variables}`)
}

/** Renders a choice between sets of security schemes. Each set is sufficient. */
const authorization = ({ spec, found, words }: ReadForm): Html | false => {
  const texts = words.try
  const all = fieldsOf(fieldsOf(spec.document.components).securitySchemes)
  const sets = listOf(found.operation.security ?? spec.document.security)
    .filter(isFields)
    .slice(0, maxSets)
    .map((set) => Object.keys(set).slice(0, 10))
  if (sets.every((names) => names.length === 0)) return false
  const shown = sets.map((names, i) => {
    const fields = names.map((name) =>
      credential(name, Object.hasOwn(all, name) ? spec.resolve(all[name]) : undefined, texts)
    )
    return html`<div data-set="${i}"${attributes({ hidden: i > 0 })}>${fields}</div>`
  })
  const choice =
    sets.length > 1 &&
    html`<select name="set" aria-label="${words.authorization}">${sets.map((names, i) => html`<option value="${i}">${names.length === 0 ? texts.none : lineOf(names.join(" + "), 200)}</option>`)}</select>`
  return group(words.authorization, html`${choice}${shown}`)
}

const credential = (name: string, scheme: Fields | undefined, texts: TryMessages): Html => {
  const title = lineOf(name, 100)
  const field = (data: Record<string, string>, type: "password" | "text", text: string, ending = "") =>
    label(
      html`${title}${ending && ` · ${ending}`}`,
      html`<input type="${type}" autocomplete="off" spellcheck="false"${attributes({ "data-scheme": name, ...data })} placeholder="${text}">`
    )
  if (scheme === undefined) return html``
  if (scheme.type === "apiKey") {
    const key = lineOf(scheme.name, 100)
    if (scheme.in !== "header" && scheme.in !== "query") return html`<p class="try-note">${title}: ${texts.cookies}</p>`
    return field({ "data-in": scheme.in, "data-name": key }, "password", key)
  }
  if (scheme.type === "http" && textOf(scheme.scheme).toLowerCase() === "basic") {
    return html`${field({ "data-in": "basic-user" }, "text", texts.user, texts.user)}${field({ "data-in": "basic-password" }, "password", texts.password, texts.password)}`
  }
  return field({ "data-in": "bearer" }, "password", texts.token)
}

const places = ["path", "query", "header"] as const

const parameters = (shown: ReadForm): ReadonlyArray<Html> => {
  const { found, words } = shown
  const texts = words.try
  const cookies = found.parameters.some((parameter) => parameter.in === "cookie")
  const groups = places.flatMap((place) => {
    const fields = found.parameters
      .filter((parameter) => parameter.in === place)
      .slice(0, maxParameters)
      .map((parameter) => parameterField(shown, parameter, place))
    return fields.length === 0 ? [] : [group(words.parameters[place], fields)]
  })
  return cookies ? [...groups, html`<p class="try-note">${words.parameters.cookie}: ${texts.cookies}</p>`] : groups
}

const parameterField = (shown: ReadForm, parameter: Fields, place: string): Html => {
  const { reader, spec } = shown
  const [media] = SpecMedia.contentTypes(parameter)
  const schema = SpecMedia.schemaOf(parameter)
  const isRequired = parameter.required === true || place === "path"
  const isForm = place === "query"
  const style = textOf(parameter.style) || (isForm ? "form" : "simple")
  const isExploded = typeof parameter.explode === "boolean" ? parameter.explode : style === "form"
  return value(shown, {
    name: textOf(parameter.name),
    schema,
    isRequired,
    example: isRequired ? (givenFor(spec, parameter) ?? givenIn(reader.of(schema))) : undefined,
    data: {
      "data-in": place,
      "data-style": parameter.schema === undefined && media !== undefined ? "json" : style,
      "data-explode": isExploded ? "" : undefined
    }
  })
}

/**
 * Returns a value from the specification. Generated values are not filled in, since they could be real data of a
 * person.
 */
const givenIn = ({ fields }: SpecSchema): unknown =>
  fields.example ?? listOf(fields.examples)[0] ?? fields.const ?? fields.default

const givenFor = (spec: Spec, parameter: Fields): unknown =>
  SpecMedia.examplesOf(spec, parameter).find(({ value }) => value !== undefined)?.value

interface Value {
  readonly name: string
  readonly schema: unknown
  readonly isRequired: boolean
  readonly example: unknown
  readonly data: Readonly<Record<string, string | undefined>>
}

/** Renders a control for the type of a value. */
const value = ({ reader, words }: ReadForm, { name, schema, isRequired, example, data }: Value): Html => {
  const found = reader.of(schema)
  const type = typeOf(found)
  const own = { ...data, "data-name": name, "data-type": type, required: isRequired && type !== "boolean" }
  const title = html`${lineOf(name, 200)}${isRequired && html` <em>${words.required}</em>`}`
  const given = listOf(type === "array" ? undefined : found.fields.enum).filter(
    (one) => !isFields(one) && !Array.isArray(one)
  )
  const written = (one: unknown) =>
    (one === undefined || one === null
      ? ""
      : typeof one === "object"
        ? JSON.stringify(one)
        : String(one)
    ).toWellFormed()
  if (given.length > 0 || type === "boolean") {
    const all = given.length > 0 ? given.slice(0, maxValues).map(written) : ["true", "false"]
    return label(title, html`<select${attributes(own)}>${options(all, isRequired)}</select>`)
  }
  if (type === "object") {
    const text = typeof example === "object" && example !== null ? JSON.stringify(example) : ""
    return label(
      title,
      html`<textarea rows="2" spellcheck="false"${attributes(own)} placeholder="{ }">${text.slice(0, 2_000)}</textarea>`
    )
  }
  if (type === "array") {
    const text = listOf(example)
      .filter((one) => !isFields(one) && !Array.isArray(one))
      .map(written)
      .join(",")
    return label(title, html`<input${attributes({ ...own, value: text.slice(0, 2_000) })}>`, words.try.commas)
  }
  if (type === "file") return label(title, html`<input type="file"${attributes(own)}>`)
  const inputmode = type === "number" ? "decimal" : undefined
  return label(
    title,
    html`<input spellcheck="false"${attributes({ ...own, inputmode, value: written(example).slice(0, 2_000) })}>`
  )
}

const typeOf = (found: SpecSchema): "array" | "boolean" | "file" | "number" | "object" | "text" => {
  const { fields } = found
  const type = typesOf(found).find((one) => one !== "null")
  if (type === "array" || type === "object" || type === "boolean") return type
  if (type === "integer" || type === "number") return "number"
  return type === "string" && (fields.format === "binary" || fields.contentMediaType !== undefined) ? "file" : "text"
}

const body = (shown: ReadForm): Html | false => {
  const { spec, found, words } = shown
  const all = SpecMedia.contentTypes(spec.resolve(found.operation.requestBody) ?? {})
  if (all.length === 0) return false
  const parts = all.map(
    ([type, media], i) =>
      html`<div data-media="${type}"${attributes({ hidden: i > 0 })}>${SpecMedia.isForm(type) ? formFields(shown, media) : textBody(shown, type, media)}</div>`
  )
  const choice = html`<select name="media" aria-label="${words.body}">${all.map(([type]) => html`<option>${type}</option>`)}</select>`
  return group(words.body, html`${choice}${parts}`)
}

const textBody = ({ reader, words }: ReadForm, type: string, media: Fields): Html => {
  const [example] = Examples.ofMedia(reader, type, media, "sent", { isShort: true })
  return html`<textarea rows="10" spellcheck="false" data-in="body" aria-label="${words.body}">${example?.text}</textarea>`
}

/** Renders the fields of a form body. The script does not send empty fields. */
const formFields = (shown: ReadForm, media: Fields): ReadonlyArray<Html> => {
  const { reader } = shown
  const schema = reader.of(media.schema)
  return Object.entries(fieldsOf(schema.fields.properties))
    .filter(([, property]) => reader.of(property).fields.readOnly !== true)
    .sort(([a], [b]) => Number(isRequired(schema, b)) - Number(isRequired(schema, a)))
    .slice(0, maxFields)
    .map(([name, property]) => {
      const needed = isRequired(schema, name)
      const example = needed ? givenIn(reader.of(property)) : undefined
      return value(shown, { name, schema: property, isRequired: needed, example, data: { "data-in": "form" } })
    })
}
