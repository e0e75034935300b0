/**
 * Makes a call from the form of an operation, and shows the response as text. Values stay in the page's memory. Forms
 * of one page share credentials.
 */
import { baseOf, callUrl } from "../src/api/CallUrl.ts"
import { readResponse, type ApiResponse } from "./ApiResponse.ts"
import { bodyOf, credentialsOf, parametersOf } from "./FormValues.ts"

/** Credentials by the location and name of their scheme. */
const credentials = new Map<string, string>()

/** Initializes the form in a dialog. `from`: URL of the form, whose query names the operation. */
export const initialize = (dialog: HTMLDialogElement, formUrl: string): void => {
  const root = dialog.querySelector<HTMLElement>(".try")!
  const form = root.querySelector("form")!
  const [statusElement, resultElement] = root.querySelectorAll<HTMLElement>(".try-answer > div")
  const labels = root.dataset as Record<string, string>
  const [server, set, media] = ["server", "set", "media"].map((name) =>
    form.querySelector<HTMLSelectElement>(`select[name=${name}]`)
  )

  /** Hides and disables the parts of options that are not selected. */
  const updateVisibility = () => {
    for (const [name, select] of [
      ["server", server],
      ["set", set],
      ["media", media]
    ] as const) {
      for (const part of form.querySelectorAll<HTMLElement>(`[data-${name}]`)) {
        part.hidden = select !== null && select !== undefined && part.dataset[name] !== select.value
        for (const field of part.querySelectorAll<HTMLInputElement>("input, select, textarea")) {
          field.disabled = part.hidden
        }
      }
    }
  }
  form.addEventListener("change", updateVisibility)
  updateVisibility()

  const credentialFields = [...form.querySelectorAll<HTMLInputElement>("[data-scheme]")]
  const credentialKey = ({ dataset }: HTMLInputElement) => `${dataset["in"]} ${dataset["scheme"]}`
  const fillCredentials = () => {
    for (const field of credentialFields) field.value ||= credentials.get(credentialKey(field)) ?? ""
  }
  fillCredentials()
  dialog.addEventListener("toggle", fillCredentials)
  for (const field of credentialFields)
    field.addEventListener("input", () => credentials.set(credentialKey(field), field.value))

  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || (target as Element).closest("[value=close]")) dialog.close()
  })

  /** Returns the call of the entered values. Throws a `SyntaxError` if an object or array is invalid JSON. */
  const readCall = async () => {
    const serverIndex = Number(server?.value ?? 0)
    const variables: Record<string, string> = {}
    for (const field of form.querySelectorAll<HTMLInputElement>(`[data-in=server][data-of="${serverIndex}"]`)) {
      variables[field.dataset["name"]!] = field.value
    }
    const { path, query, headers } = parametersOf(form)
    const { body, contentType } = await bodyOf(form, media?.value)
    return {
      serverIndex,
      variables,
      path,
      query,
      headers: [
        ...headers,
        ...credentialsOf(form),
        ...(contentType === undefined ? [] : [["Content-Type", contentType] as const])
      ],
      body
    }
  }

  const callDirectly = async (call: Awaited<ReturnType<typeof readCall>>): Promise<ApiResponse> => {
    const template = server?.selectedOptions[0]?.dataset["template"] ?? ""
    const names = Object.entries(call.variables).map(([name, value]) => ({ name, values: [value] }))
    const base = baseOf({ template, variables: names }, call.variables)
    const url = base && callUrl(base, labels["path"]!, call.path, call.query)
    if (url === undefined) throw new TypeError()
    const method = labels["method"]!
    const startedAt = performance.now()
    const response = await fetch(url, {
      method,
      headers: call.headers.map(([name, value]) => [name, value] as [string, string]),
      ...(call.body !== undefined && method !== "GET" && method !== "HEAD" && { body: call.body }),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store"
    })
    return readResponse(response, startedAt)
  }

  const callThroughProxy = async (call: Awaited<ReturnType<typeof readCall>>): Promise<ApiResponse | string> => {
    const url = new URL(formUrl, location.href)
    const operation = Object.fromEntries(url.searchParams)
    url.search = ""
    const { serverIndex, path, body, ...rest } = call
    const payload = {
      ...operation,
      ...rest,
      server: serverIndex,
      parameters: path,
      ...(body !== undefined && { body: base64(new Uint8Array(body)) })
    }
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payload)
    })
    const result = (await response.json()) as ApiResponse & { readonly problem?: string }
    return result.problem ?? result
  }

  let isSending = false
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    if (isSending) return
    isSending = true
    statusElement!.textContent = labels["sending"]!
    resultElement!.replaceChildren()
    const isProxied = labels["proxied"] !== undefined
    try {
      const call = await readCall()
      const result = isProxied ? await callThroughProxy(call) : await callDirectly(call)
      if (typeof result === "string") {
        statusElement!.textContent = result
        statusElement!.className = "try-failed"
      } else {
        statusElement!.className = ""
        statusElement!.replaceChildren(...statusElements(result))
        resultElement!.replaceChildren(...resultElements(result, labels))
      }
    } catch (failure) {
      statusElement!.className = "try-failed"
      statusElement!.textContent =
        failure instanceof SyntaxError ? failure.message : labels[isProxied ? "failedProxy" : "failed"]!
    }
    isSending = false
  })
}

const createElement = (name: string, text: string, className = ""): HTMLElement => {
  const element = document.createElement(name)
  element.textContent = text
  if (className !== "") element.className = className
  return element
}

const statusElements = ({ status, took, size }: ApiResponse): ReadonlyArray<HTMLElement> => [
  createElement("span", String(status), `api-status of-${String(status)[0]}`),
  createElement("small", `${Math.round(took)} ms · ${size.toLocaleString(document.documentElement.lang)} B`)
]

const resultElements = (result: ApiResponse, labels: Record<string, string>): ReadonlyArray<HTMLElement> => {
  const headersElement = document.createElement("details")
  const list = document.createElement("dl")
  for (const [name, value] of result.headers) list.append(createElement("dt", name), createElement("dd", value))
  headersElement.append(createElement("summary", `${labels["headers"]} (${result.headers.length})`), list)
  const { text, size, isCut } = result
  const note =
    text === undefined
      ? `${size} ${labels["bytes"]}`
      : text === ""
        ? labels["nothing"]!
        : isCut
          ? labels["cut"]!
          : undefined
  const parts: Array<HTMLElement> = [headersElement]
  if (text !== undefined && text !== "") {
    const body = document.createElement("pre")
    const code = document.createElement("code")
    body.tabIndex = 0
    body.ariaLabel = labels["body"]!
    body.setAttribute("role", "region")
    code.append(...highlightJson(text))
    body.append(code)
    parts.push(body)
  }
  if (note !== undefined) parts.push(createElement("p", note, "try-note"))
  return parts
}

/** Highlights JSON with the classes of code on pages. Returns other text unchanged. */
const highlightJson = (text: string): ReadonlyArray<Node | string> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return [text]
  }
  const lines = JSON.stringify(value, null, 2)
  // One node per token of a very long response would slow down the page.
  if (lines.length > 200_000) return [lines]
  const parts: Array<Node | string> = []
  let lastEnd = 0
  for (const match of lines.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g)) {
    parts.push(lines.slice(lastEnd, match.index))
    const [token, string, colon] = match
    parts.push(createElement("span", string ?? token, string === undefined ? "n" : colon === undefined ? "s" : "a"))
    if (string !== undefined && colon !== undefined) parts.push(colon)
    lastEnd = match.index + token.length
  }
  return [...parts, lines.slice(lastEnd)]
}

const base64 = (bytes: Uint8Array): string => {
  let text = ""
  for (let i = 0; i < bytes.length; i += 32_768) text += String.fromCharCode(...bytes.subarray(i, i + 32_768))
  return btoa(text)
}
