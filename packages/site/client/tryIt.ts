/**
 * Makes a call from the form of an operation, and shows the response as text. Values stay in the page's memory. Forms
 * of one page share credentials.
 */
import { baseOf, callUrl } from "../src/api/CallUrl.ts"
import { answerOf, type Answer } from "./ApiResponse.ts"
import { bodyOf, credentialsOf, parametersOf } from "./FormValues.ts"

/** Credentials by the location and name of their scheme. */
const known = new Map<string, string>()

/** Initializes the form in a dialog. `from`: URL of the form, whose query names the operation. */
export const begin = (dialog: HTMLDialogElement, from: string): void => {
  const root = dialog.querySelector<HTMLElement>(".try")!
  const form = root.querySelector("form")!
  const [told, shown] = root.querySelectorAll<HTMLElement>(".try-answer > div")
  const say = root.dataset as Record<string, string>
  const [server, set, media] = ["server", "set", "media"].map((name) =>
    form.querySelector<HTMLSelectElement>(`select[name=${name}]`)
  )

  /** Hides and disables the parts of options that are not selected. */
  const choose = () => {
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
  form.addEventListener("change", choose)
  choose()

  const secrets = [...form.querySelectorAll<HTMLInputElement>("[data-scheme]")]
  const nameOf = ({ dataset }: HTMLInputElement) => `${dataset["in"]} ${dataset["scheme"]}`
  const fill = () => {
    for (const field of secrets) field.value ||= known.get(nameOf(field)) ?? ""
  }
  fill()
  dialog.addEventListener("toggle", fill)
  for (const field of secrets) field.addEventListener("input", () => known.set(nameOf(field), field.value))

  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || (target as Element).closest("[value=close]")) dialog.close()
  })

  /** Returns the call of the entered values. Throws a `SyntaxError` if an object or array is invalid JSON. */
  const callOf = async () => {
    const place = Number(server?.value ?? 0)
    const variables: Record<string, string> = {}
    for (const field of form.querySelectorAll<HTMLInputElement>(`[data-in=server][data-of="${place}"]`)) {
      variables[field.dataset["name"]!] = field.value
    }
    const { path, query, headers } = parametersOf(form)
    const { body, contentType } = await bodyOf(form, media?.value)
    return {
      place,
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

  const direct = async (call: Awaited<ReturnType<typeof callOf>>): Promise<Answer> => {
    const template = server?.selectedOptions[0]?.dataset["template"] ?? ""
    const names = Object.entries(call.variables).map(([name, value]) => ({ name, values: [value] }))
    const base = baseOf({ template, variables: names }, call.variables)
    const url = base && callUrl(base, say["path"]!, call.path, call.query)
    if (url === undefined) throw new TypeError()
    const method = say["method"]!
    const begun = performance.now()
    const response = await fetch(url, {
      method,
      headers: call.headers.map(([name, value]) => [name, value] as [string, string]),
      ...(call.body !== undefined && method !== "GET" && method !== "HEAD" && { body: call.body }),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store"
    })
    return answerOf(response, begun)
  }

  const proxied = async (call: Awaited<ReturnType<typeof callOf>>): Promise<Answer | string> => {
    const url = new URL(from, location.href)
    const named = Object.fromEntries(url.searchParams)
    url.search = ""
    const { place, path, body, ...rest } = call
    const asked = {
      ...named,
      ...rest,
      server: place,
      parameters: path,
      ...(body !== undefined && { body: base64(new Uint8Array(body)) })
    }
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(asked)
    })
    const answer = (await response.json()) as Answer & { readonly problem?: string }
    return answer.problem ?? answer
  }

  let isSending = false
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    if (isSending) return
    isSending = true
    told!.textContent = say["sending"]!
    shown!.replaceChildren()
    const isProxied = say["proxied"] !== undefined
    try {
      const call = await callOf()
      const answer = isProxied ? await proxied(call) : await direct(call)
      if (typeof answer === "string") {
        told!.textContent = answer
        told!.className = "try-failed"
      } else {
        told!.className = ""
        told!.replaceChildren(...statusOf(answer))
        shown!.replaceChildren(...partsOf(answer, say))
      }
    } catch (failure) {
      told!.className = "try-failed"
      told!.textContent = failure instanceof SyntaxError ? failure.message : say[isProxied ? "failedProxy" : "failed"]!
    }
    isSending = false
  })
}

const element = (name: string, text: string, className = ""): HTMLElement => {
  const made = document.createElement(name)
  made.textContent = text
  if (className !== "") made.className = className
  return made
}

const statusOf = ({ status, took, size }: Answer): ReadonlyArray<HTMLElement> => [
  element("span", String(status), `api-status of-${String(status)[0]}`),
  element("small", `${Math.round(took)} ms · ${size.toLocaleString(document.documentElement.lang)} B`)
]

const partsOf = (answer: Answer, say: Record<string, string>): ReadonlyArray<HTMLElement> => {
  const folded = document.createElement("details")
  const list = document.createElement("dl")
  for (const [name, value] of answer.headers) list.append(element("dt", name), element("dd", value))
  folded.append(element("summary", `${say["headers"]} (${answer.headers.length})`), list)
  const { text, size, isCut } = answer
  const note =
    text === undefined ? `${size} ${say["bytes"]}` : text === "" ? say["nothing"]! : isCut ? say["cut"]! : undefined
  const parts: Array<HTMLElement> = [folded]
  if (text !== undefined && text !== "") {
    const body = document.createElement("pre")
    const code = document.createElement("code")
    body.tabIndex = 0
    body.ariaLabel = say["body"]!
    body.setAttribute("role", "region")
    code.append(...marked(text))
    body.append(code)
    parts.push(body)
  }
  if (note !== undefined) parts.push(element("p", note, "try-note"))
  return parts
}

/** Highlights JSON with the classes of code on pages. Returns other text unchanged. */
const marked = (text: string): ReadonlyArray<Node | string> => {
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
  let last = 0
  for (const found of lines.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g)) {
    parts.push(lines.slice(last, found.index))
    const [whole, string, colon] = found
    parts.push(element("span", string ?? whole, string === undefined ? "n" : colon === undefined ? "s" : "a"))
    if (string !== undefined && colon !== undefined) parts.push(colon)
    last = found.index + whole.length
  }
  return [...parts, lines.slice(last)]
}

const base64 = (bytes: Uint8Array): string => {
  let text = ""
  for (let i = 0; i < bytes.length; i += 32_768) text += String.fromCharCode(...bytes.subarray(i, i + 32_768))
  return btoa(text)
}
