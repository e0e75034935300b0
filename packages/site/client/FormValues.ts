/** Values of the form that tries an operation, serialized as OpenAPI defines. */

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
type Pairs = Array<readonly [name: string, value: string]>

const fieldsOf = (form: HTMLFormElement, location: string): ReadonlyArray<Field> => [
  ...form.querySelectorAll<Field>(`[data-in="${location}"]:enabled`)
]

/** Returns the value of a field, parsed if it is an object or array. Undefined if the field is empty. */
const valueOf = ({ dataset, value }: Field): unknown => {
  if (value.trim() === "") return undefined
  if (dataset["type"] === "object") return JSON.parse(value)
  if (dataset["type"] === "array")
    return value.trim().startsWith("[") ? JSON.parse(value) : value.split(",").map((item) => item.trim())
  return value
}

const stringify = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)

/** Returns name-value pairs with bracketed names for nested values, as in forms and `deepObject`. */
const flatten = (name: string, value: unknown): Pairs => {
  if (typeof value !== "object" || value === null) return [[name, stringify(value)]]
  return Object.entries(value).flatMap(([key, item]) => flatten(`${name}[${Array.isArray(value) ? "" : key}]`, item))
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" }

const serializeQuery = ({ dataset }: Field, value: unknown): Pairs => {
  const { name = "", style = "form", explode } = dataset
  if (typeof value !== "object" || value === null) return [[name, stringify(value)]]
  if (style === "json") return [[name, JSON.stringify(value)]]
  if (style === "deepObject") return flatten(name, value)
  if (Array.isArray(value)) {
    return explode === undefined
      ? [[name, value.map(stringify).join(separators[style] ?? ",")]]
      : value.map((item) => [name, stringify(item)] as const)
  }
  const entries = Object.entries(value)
  return explode === undefined
    ? [[name, entries.flatMap(([key, item]) => [key, stringify(item)]).join(",")]]
    : entries.map(([key, item]) => [key, stringify(item)] as const)
}

const serializeSimple = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(stringify).join(",")
    : typeof value === "object" && value !== null
      ? Object.entries(value)
          .flatMap(([name, item]) => [name, stringify(item)])
          .join(",")
      : stringify(value)

export const parametersOf = (form: HTMLFormElement) => {
  const path: Record<string, string> = {}
  const query: Pairs = []
  const headers: Pairs = []
  for (const field of fieldsOf(form, "path")) path[field.dataset["name"]!] = serializeSimple(valueOf(field) ?? "")
  for (const field of fieldsOf(form, "query")) {
    const value = valueOf(field)
    if (value !== undefined) query.push(...serializeQuery(field, value))
  }
  for (const field of fieldsOf(form, "header")) {
    const value = valueOf(field)
    if (value !== undefined) headers.push([field.dataset["name"]!, serializeSimple(value)])
  }
  return { path, query, headers }
}

/** Returns headers of HTTP authentication. API keys are parameters (see `parametersOf`). */
export const credentialsOf = (form: HTMLFormElement): Pairs => {
  const [bearer] = fieldsOf(form, "bearer")
  const [user] = fieldsOf(form, "basic-user")
  const [password] = fieldsOf(form, "basic-password")
  if (bearer !== undefined && bearer.value !== "") return [["Authorization", `Bearer ${bearer.value.trim()}`]]
  if (user === undefined || `${user.value}${password?.value}` === "") return []
  const bytes = new TextEncoder().encode(`${user.value}:${password?.value ?? ""}`)
  return [["Authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`]]
}

/** Returns the bytes of the body; no body if nothing was entered. */
export const bodyOf = async (
  form: HTMLFormElement,
  media: string | undefined
): Promise<{ readonly body?: ArrayBuffer; readonly contentType?: string }> => {
  if (media === undefined) return {}
  const fields = fieldsOf(form, "form")
  const [text] = fieldsOf(form, "body")
  if (text !== undefined) {
    if (text.value.trim() === "") return {}
    return { body: new TextEncoder().encode(text.value).buffer, contentType: media }
  }
  const isMultipart = /^multipart\//i.test(media)
  const data = new FormData()
  const pairs: Pairs = []
  for (const field of fields) {
    const name = field.dataset["name"]!
    if (field instanceof HTMLInputElement && field.type === "file") {
      for (const file of field.files ?? []) data.append(name, file)
      continue
    }
    const value = valueOf(field)
    if (value === undefined) continue
    if (isMultipart) data.append(name, stringify(value))
    else pairs.push(...flatten(name, value))
  }
  const response = new Response(isMultipart ? data : new URLSearchParams(pairs.map(([name, value]) => [name, value])))
  return { body: await response.arrayBuffer(), contentType: response.headers.get("content-type") ?? media }
}
