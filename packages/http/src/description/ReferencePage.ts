/**
 * HTML page for reading and trying the API, without external resources. It is complete without its script. The script
 * sends requests to the server of the page with the token that the user enters, and stores neither.
 */
import type { Description, Operation, Parameter, Response } from "./Description.ts"
import { type JsonSchema, nameOf } from "./JsonSchema.ts"

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Converts text to HTML. Backquotes mark code. */
const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>")

const linkTo = (name: string): string => `<a href="#${name}">${name}</a>`

/** Returns a schema as a TypeScript type. */
const typeOf = (schema: JsonSchema, indent = ""): string => {
  const name = nameOf(schema)
  if (name !== undefined) return linkTo(name)
  if (schema.enum !== undefined) return schema.enum.map((value) => escaped(JSON.stringify(value))).join(" | ")
  if (schema.anyOf !== undefined) return schema.anyOf.map((part) => typeOf(part, indent)).join(" | ")
  if (schema.type === "array") {
    const item = typeOf(schema.items ?? {}, indent)
    return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`
  }
  if (schema.type === "object") return objectOf(schema, indent)
  return escaped(schema.type ?? "unknown")
}

const objectOf = ({ additionalProperties, properties = {}, required = [] }: JsonSchema, indent: string): string => {
  const deeper = `${indent}  `
  const lines = Object.entries(properties).map(
    ([name, part]) => `${deeper}${escaped(name)}${required.includes(name) ? "" : "?"}: ${typeOf(part, deeper)}\n`
  )
  if (typeof additionalProperties === "object" && additionalProperties !== null) {
    lines.push(`${deeper}[name]: ${typeOf(additionalProperties as JsonSchema, deeper)}\n`)
  }
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`
}

const input = ({ description, in: where, name, required, schema }: Parameter): string =>
  `<label><span><code>${escaped(name)}</code>${required ? "" : " (optional)"} <small>${typeOf(schema)}</small></span>
<input name="${escaped(name)}" data-in="${where}"${required ? " required" : ""}> ${prose(description)}</label>\n`

const bodyOf = ({ requestBody }: Operation): string =>
  Object.entries(requestBody?.content ?? {})
    .map(
      ([type, { example, schema }]) =>
        `<p>Body, <code>${escaped(type)}</code>:</p><pre>${typeOf(schema)}</pre>` +
        (example === undefined
          ? ""
          : `<textarea data-type="${escaped(type)}">${escaped(JSON.stringify(example, null, 2))}</textarea>`)
    )
    .join("")

const responseHtml = ({ content = {}, description = "" }: Response): string => {
  const types = Object.entries(content).map(([type, { schema }]) =>
    type === "application/json" ? typeOf(schema) : `<code>${escaped(type)}</code>`
  )
  return types.length === 0 ? prose(description) : types.join(", ")
}

const responseList = ({ responses }: Operation, description: Description): string =>
  Object.entries(responses)
    .map(([status, response]) => {
      const shared = description.components.responses[response.$ref?.split("/").at(-1) ?? ""]
      return `<dt>${status}<dd>${
        shared === undefined ? `<pre>${responseHtml(response)}</pre>` : prose(shared.description ?? "")
      }`
    })
    .join("\n")

const operation = (method: string, path: string, entry: Operation, description: Description): string =>
  `<details id="${entry.operationId}"><summary><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code> ${prose(entry.description)}</summary>
<form data-method="${method.toUpperCase()}" data-path="${escaped(path)}">
${entry.parameters.map(input).join("")}${bodyOf(entry)}
<p><button>Send</button>${entry.security.length === 0 ? " No token required." : ""}</p><output></output></form>
<dl>${responseList(entry, description)}</dl></details>\n`

export const script = `
addEventListener("submit", async (event) => {
  event.preventDefault()
  const form = event.target
  const query = new URLSearchParams()
  const headers = {}
  let path = form.dataset.path
  for (const { name, value, dataset } of form.querySelectorAll("input")) {
    if (dataset.in === "path") path = path.replace("{" + name + "}", encodeURIComponent(value))
    else if (value === "") continue
    else if (dataset.in === "header") headers[name] = value
    else query.append(name, value)
  }
  const token = document.querySelector("#token").value
  const body = form.querySelector("textarea")
  if (token !== "") headers.authorization = "Bearer " + token
  if (body) headers["content-type"] = body.dataset.type
  const base = location.pathname.replace(/\\/docs\\/?$/, "")
  const url = base + path + (query.size > 0 ? "?" + query : "")
  const output = form.querySelector("output")
  const button = form.querySelector("button")
  output.textContent = "…"
  button.disabled = true
  try {
    const answer = await fetch(url, { method: form.dataset.method, headers, body: body ? body.value : undefined })
    const text = await answer.text()
    let shown = text
    try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
    output.textContent = answer.status + "\\n" + shown
  } catch (error) {
    output.textContent = String(error)
  } finally {
    button.disabled = false
  }
})
const open = () => {
  const found = document.getElementById(location.hash.slice(1))
  if (found instanceof HTMLDetailsElement) found.open = true
}
addEventListener("hashchange", open)
open()
`

export const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 60rem; padding: 1rem }
nav { columns: 14rem }
details { border-top: 1px solid #8884; padding: .3rem 0 }
summary { cursor: pointer }
summary b { display: inline-block; min-width: 4.5rem }
summary code { overflow-wrap: anywhere }
pre, output { display: block; overflow: auto; max-height: 30rem; white-space: pre; font: .85rem/1.4 ui-monospace, monospace; background: #8881; padding: .5rem }
output:empty { display: none }
label { display: block; margin: .3rem 0 }
label span { display: block }
input { width: 24rem; max-width: 100% }
textarea { box-sizing: border-box; width: 100%; height: 10rem; font: .85rem/1.4 ui-monospace, monospace }
dt { font-weight: bold }
`

/** Id of the section of a group. */
const idOf = (tag: string): string => `tag-${tag.replace(/\W+/g, "-")}`

export const page = (description: Description): string => {
  const tags = description.tags as ReadonlyArray<{ readonly name: string; readonly description?: string }>
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({
      tag: entry.tags[0],
      html: () => operation(method, path, entry, description)
    }))
  )
  const groups = tags.map(
    ({ description = "", name }) =>
      `<section id="${idOf(name)}"><h2>${escaped(name)}</h2><p>${prose(description)}</p>\n` +
      operations.map(({ html, tag }) => (tag === name ? html() : "")).join("") +
      "</section>\n"
  )
  const schemas = Object.entries(description.components.schemas).map(
    ([name, schema]) =>
      `<details id="${name}"><summary><code>${name}</code></summary><pre>${typeOf(schema)}</pre></details>\n`
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(description.info.title)}: API</title>
<style>${style}</style></head>
<body><h1>${escaped(description.info.title)}</h1><p>${prose(description.info.description)} Machine-readable: <a href="openapi.json">openapi.json</a>.</p>
<label><span>Token for requests. It is not stored.</span><input id="token" type="password" autocomplete="off"></label>
<nav>${tags.map(({ name }) => `<a href="#${idOf(name)}">${escaped(name)}</a><br>`).join("")}<a href="#schemas">Schemas</a></nav>
${groups.join("")}<section id="schemas"><h2>Schemas</h2>
${schemas.join("")}</section>
<script>${script}</script></body></html>
`
}
