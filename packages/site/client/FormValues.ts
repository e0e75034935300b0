/** Values of the form that tries an operation, serialized as OpenAPI defines. */

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
type Pairs = Array<readonly [name: string, value: string]>

const fieldsOf = (form: HTMLFormElement, place: string): ReadonlyArray<Field> => [
  ...form.querySelectorAll<Field>(`[data-in="${place}"]:enabled`)
]

/** Returns the value of a field, parsed if it is an object or array. Undefined if the field is empty. */
const valueOf = ({ dataset, value }: Field): unknown => {
  if (value.trim() === "") return undefined
  if (dataset["type"] === "object") return JSON.parse(value)
  if (dataset["type"] === "array")
    return value.trim().startsWith("[") ? JSON.parse(value) : value.split(",").map((one) => one.trim())
  return value
}

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)

/** Returns name-value pairs with bracketed names for nested values, as in forms and `deepObject`. */
const flat = (name: string, value: unknown): Pairs => {
  if (typeof value !== "object" || value === null) return [[name, textOf(value)]]
  return Object.entries(value).flatMap(([inner, one]) => flat(`${name}[${Array.isArray(value) ? "" : inner}]`, one))
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" }

const queryOf = ({ dataset }: Field, value: unknown): Pairs => {
  const { name = "", style = "form", explode } = dataset
  if (typeof value !== "object" || value === null) return [[name, textOf(value)]]
  if (style === "json") return [[name, JSON.stringify(value)]]
  if (style === "deepObject") return flat(name, value)
  if (Array.isArray(value)) {
    return explode === undefined
      ? [[name, value.map(textOf).join(separators[style] ?? ",")]]
      : value.map((one) => [name, textOf(one)] as const)
  }
  const entries = Object.entries(value)
  return explode === undefined
    ? [[name, entries.flatMap(([inner, one]) => [inner, textOf(one)]).join(",")]]
    : entries.map(([inner, one]) => [inner, textOf(one)] as const)
}

const simple = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(",")
    : typeof value === "object" && value !== null
      ? Object.entries(value)
          .flatMap(([name, one]) => [name, textOf(one)])
          .join(",")
      : textOf(value)

export const parametersOf = (form: HTMLFormElement) => {
  const path: Record<string, string> = {}
  const query: Pairs = []
  const headers: Pairs = []
  for (const field of fieldsOf(form, "path")) path[field.dataset["name"]!] = simple(valueOf(field) ?? "")
  for (const field of fieldsOf(form, "query")) {
    const value = valueOf(field)
    if (value !== undefined) query.push(...queryOf(field, value))
  }
  for (const field of fieldsOf(form, "header")) {
    const value = valueOf(field)
    if (value !== undefined) headers.push([field.dataset["name"]!, simple(value)])
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
    if (isMultipart) data.append(name, textOf(value))
    else pairs.push(...flat(name, value))
  }
  const sent = new Response(isMultipart ? data : new URLSearchParams(pairs.map(([name, value]) => [name, value])))
  return { body: await sent.arrayBuffer(), contentType: sent.headers.get("content-type") ?? media }
}
