/** Sample code of an operation's call in several languages. */
import * as SpecNumber from "@lectern/core/openapi/SpecNumber"
import { isFields, lineOf, listOf, textOf } from "@lectern/core/computed/SpecParser"
import type { Fields } from "@lectern/core/computed/SpecParser"

/** Field of a multipart form: a text, or the name of a file. */
export type FormField =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly file: string }

export type SampleBody =
  | { readonly kind: "text"; readonly text: string }
  /** URL-encoded. */
  | { readonly kind: "form"; readonly fields: ReadonlyArray<readonly [name: string, text: string]> }
  /** `multipart/form-data`. */
  | { readonly kind: "parts"; readonly fields: ReadonlyArray<FormField> }
  /** Raw bytes of a file. */
  | { readonly kind: "file" }

export interface SampleRequest {
  /** HTTP method in upper case. */
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: SampleBody
}

export interface Sample {
  readonly title: string
  readonly syntax: string
  readonly text: string
}

const maxSample = 20_000

/**
 * Returns the samples of a call. Samples of the specification come first and replace generated samples in the same
 * language.
 */
export const samplesFor = (call: SampleRequest, operation: Fields): ReadonlyArray<Sample> => {
  const specSamples = listOf(operation["x-codeSamples"] ?? operation["x-code-samples"])
    .slice(0, 10)
    .flatMap((sample): ReadonlyArray<Sample> => {
      if (!isFields(sample)) return []
      const text = textOf(sample.source)
      const title = lineOf(sample.label, 40) || lineOf(sample.lang, 40)
      return text === "" || text.length > maxSample || title === ""
        ? []
        : [{ title, text, syntax: lineOf(sample.lang, 40).toLowerCase() }]
    })
  const specLanguages = new Set(specSamples.flatMap(({ title, syntax }) => [title.toLowerCase(), syntax]))
  return [
    ...specSamples,
    ...languages.map((generate) => generate(call)).filter(({ title }) => !specLanguages.has(title.toLowerCase()))
  ]
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const jsonQuote = (text: string): string => JSON.stringify(text)
const singleQuote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
const goString = (text: string): string => (text.includes("`") ? jsonQuote(text) : `\`${text}\``)
const urlEncode = (fields: ReadonlyArray<readonly [string, string]>): string =>
  new URLSearchParams(fields.map(([name, text]) => [name.toWellFormed(), text.toWellFormed()])).toString()
const formParts = (body: SampleBody | undefined): ReadonlyArray<FormField> =>
  body?.kind === "parts" ? body.fields : []

const curl = ({ method, url, headers, body }: SampleRequest): Sample => {
  /** Text fields use `--form-string`, since `-F` would read a leading `@` as a file name. */
  const field = (part: FormField) =>
    "file" in part
      ? `-F ${shellQuote(`${part.name}=@${part.file}`)}`
      : `--form-string ${shellQuote(`${part.name}=${part.text}`)}`
  // `-X HEAD` would wait for a body, and a body without `-X` would turn GET into POST.
  const methodFlag = method === "HEAD" ? "--head " : method === "GET" && body === undefined ? "" : `-X ${method} `
  const bodyLines =
    body === undefined
      ? []
      : body.kind === "text"
        ? [body.text.startsWith("@") ? `--data-raw ${shellQuote(body.text)}` : `-d ${shellQuote(body.text)}`]
        : body.kind === "form"
          ? body.fields.map(([name, text]) => `--data-urlencode ${shellQuote(`${encodeURIComponent(name)}=${text}`)}`)
          : body.kind === "file"
            ? ["--data-binary @file"]
            : body.fields.map(field)
  return {
    title: "curl",
    syntax: "bash",
    text: [
      `curl ${methodFlag}${shellQuote(url)}`,
      ...headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
      ...bodyLines
    ].join(" \\\n  ")
  }
}

const javascript = ({ method, url, headers, body }: SampleRequest): Sample => {
  const hasFile = body?.kind === "file" || formParts(body).some((part) => "file" in part)
  const preamble = [
    ...(hasFile ? ['const [file] = document.querySelector("input[type=file]").files'] : []),
    ...(body?.kind === "parts"
      ? [
          "const form = new FormData()",
          ...body.fields.map((part) =>
            "file" in part
              ? `form.append(${jsonQuote(part.name)}, file)`
              : `form.append(${jsonQuote(part.name)}, ${jsonQuote(part.text)})`
          )
        ]
      : [])
  ]
  const bodyLines =
    body === undefined
      ? []
      : body.kind === "text"
        ? [`  body: ${isPlainJson(body.text) ? `JSON.stringify(${indent(body.text, "  ")})` : jsonQuote(body.text)},`]
        : body.kind === "form"
          ? [
              "  body: new URLSearchParams([",
              ...body.fields.map(([name, text]) => `    [${jsonQuote(name)}, ${jsonQuote(text)}],`),
              "  ]),"
            ]
          : [body.kind === "file" ? "  body: file," : "  body: form,"]
  const isPlain = method === "GET" && headers.length === 0 && body === undefined
  return {
    title: "JavaScript",
    syntax: "javascript",
    text: [
      ...preamble,
      `const response = await fetch(${jsonQuote(url)}${isPlain ? ")" : ", {"}`,
      ...(method === "GET" ? [] : [`  method: ${jsonQuote(method)},`]),
      ...(headers.length === 0
        ? []
        : ["  headers: {", ...headers.map(([name, value]) => `    ${jsonQuote(name)}: ${jsonQuote(value)},`), "  },"]),
      ...bodyLines,
      ...(isPlain ? [] : ["})"]),
      "console.log(await response.text())"
    ].join("\n")
  }
}

const python = ({ method, url, headers, body }: SampleRequest): Sample => {
  const parts = formParts(body)
  const texts = parts.flatMap((part) => ("text" in part ? [[part.name, part.text] as const] : []))
  const files = parts.flatMap((part) => ("file" in part ? [part] : []))
  const pairs = (name: string, all: ReadonlyArray<readonly [string, string]>) => [
    `    ${name}=[`,
    ...all.map(([key, text]) => `        (${jsonQuote(key)}, ${jsonQuote(text)}),`),
    "    ],"
  ]
  // Without files, `requests` sends a multipart body only if every field is passed as a part.
  const isTextOnly = body?.kind === "parts" && files.length === 0
  const bodyLines =
    body === undefined
      ? []
      : body.kind === "text"
        ? [`    data=${pythonString(body.text)}.encode(),`]
        : body.kind === "form"
          ? pairs("data", body.fields)
          : body.kind === "file"
            ? ['    data=open("file", "rb"),']
            : isTextOnly
              ? [
                  "    files=[",
                  ...texts.map(([key, text]) => `        (${jsonQuote(key)}, (None, ${jsonQuote(text)})),`),
                  "    ],"
                ]
              : [
                  ...(texts.length > 0 ? pairs("data", texts) : []),
                  "    files=[",
                  ...files.map(({ name, file }) => `        (${jsonQuote(name)}, open(${jsonQuote(file)}, "rb")),`),
                  "    ],"
                ]
  return {
    title: "Python",
    syntax: "python",
    text: [
      "import requests",
      "",
      "response = requests.request(",
      `    ${jsonQuote(method)},`,
      `    ${jsonQuote(url)},`,
      ...(headers.length === 0
        ? []
        : [
            "    headers={",
            ...headers.map(([name, value]) => `        ${jsonQuote(name)}: ${jsonQuote(value)},`),
            "    },"
          ]),
      ...bodyLines,
      ")",
      "print(response.text)"
    ].join("\n")
  }
}

const go = ({ method, url, headers, body }: SampleRequest): Sample => {
  const parts = formParts(body)
  const hasFile = body?.kind === "file" || parts.some((part) => "file" in part)
  const packages = [
    ...(body?.kind === "parts" ? ["bytes"] : []),
    "fmt",
    "io",
    ...(body?.kind === "parts" ? ["mime/multipart"] : []),
    "net/http",
    ...(hasFile ? ["os"] : []),
    ...(body?.kind === "text" || body?.kind === "form" ? ["strings"] : [])
  ]
  const preamble = [
    ...(body?.kind === "file" ? ['\tfile, _ := os.Open("file")'] : []),
    ...(body?.kind === "parts" ? ["\tvar form bytes.Buffer", "\twriter := multipart.NewWriter(&form)"] : []),
    ...parts.flatMap((part, i) =>
      "text" in part
        ? [`\twriter.WriteField(${jsonQuote(part.name)}, ${goString(part.text)})`]
        : [
            `\tpart${i + 1}, _ := writer.CreateFormFile(${jsonQuote(part.name)}, ${jsonQuote(part.file)})`,
            `\tfile${i + 1}, _ := os.Open(${jsonQuote(part.file)})`,
            `\tio.Copy(part${i + 1}, file${i + 1})`
          ]
    ),
    ...(body?.kind === "parts" ? ["\twriter.Close()"] : [])
  ]
  const bodyLines =
    body === undefined
      ? "nil"
      : body.kind === "text"
        ? `strings.NewReader(${goString(body.text)})`
        : body.kind === "form"
          ? `strings.NewReader(${goString(urlEncode(body.fields))})`
          : body.kind === "file"
            ? "file"
            : "&form"
  return {
    title: "Go",
    syntax: "go",
    text: [
      "package main",
      "",
      `import (\n${packages.map((packageName) => `\t"${packageName}"`).join("\n")}\n)`,
      "",
      "func main() {",
      ...preamble,
      `\trequest, _ := http.NewRequest(${jsonQuote(method)}, ${jsonQuote(url)}, ${bodyLines})`,
      ...headers.map(([name, value]) => `\trequest.Header.Set(${jsonQuote(name)}, ${jsonQuote(value)})`),
      ...(body?.kind === "parts" ? ['\trequest.Header.Set("Content-Type", writer.FormDataContentType())'] : []),
      "\tresponse, err := http.DefaultClient.Do(request)",
      "\tif err != nil {\n\t\tpanic(err)\n\t}",
      "\tdefer response.Body.Close()",
      "\tbody, _ := io.ReadAll(response.Body)",
      "\tfmt.Println(string(body))",
      "}"
    ].join("\n")
  }
}

const php = ({ method, url, headers, body }: SampleRequest): Sample => {
  const bodyLines =
    body === undefined
      ? []
      : body.kind === "text"
        ? [`    CURLOPT_POSTFIELDS => ${singleQuote(body.text)},`]
        : body.kind === "form"
          ? [`    CURLOPT_POSTFIELDS => ${singleQuote(urlEncode(body.fields))},`]
          : body.kind === "file"
            ? ["    CURLOPT_POSTFIELDS => file_get_contents('file'),"]
            : [
                "    CURLOPT_POSTFIELDS => [",
                ...body.fields.map((part) =>
                  "file" in part
                    ? `        ${singleQuote(part.name)} => new CURLFile(${singleQuote(part.file)}),`
                    : `        ${singleQuote(part.name)} => ${singleQuote(part.text)},`
                ),
                "    ],"
              ]
  return {
    title: "PHP",
    syntax: "php",
    text: [
      "<?php",
      `$request = curl_init(${singleQuote(url)});`,
      "curl_setopt_array($request, [",
      `    CURLOPT_CUSTOMREQUEST => ${singleQuote(method)},`,
      "    CURLOPT_RETURNTRANSFER => true,",
      ...(headers.length === 0
        ? []
        : [
            "    CURLOPT_HTTPHEADER => [",
            ...headers.map(([name, value]) => `        ${singleQuote(`${name}: ${value}`)},`),
            "    ],"
          ]),
      ...bodyLines,
      "]);",
      "echo curl_exec($request);"
    ].join("\n")
  }
}

const languages: ReadonlyArray<(call: SampleRequest) => Sample> = [curl, javascript, python, go, php]

/** True if the text is JSON whose numbers JavaScript represents exactly. */
const isPlainJson = (text: string): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(SpecNumber.parse(text))
  } catch {
    return false
  }
}

const indent = (text: string, indentation: string): string => text.replaceAll("\n", `\n${indentation}`)

const pythonString = (text: string): string =>
  text.includes("\n") && !text.includes("'''") && !text.includes("\\") ? `'''${text}'''` : jsonQuote(text)
