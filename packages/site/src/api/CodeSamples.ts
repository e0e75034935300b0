/** Sample code of an operation's call in several languages. */
import * as SpecNumber from "@lectern/core/openapi/SpecNumber"
import { isFields, lineOf, listOf, textOf } from "@lectern/core/computed/SpecReading"
import type { Fields } from "@lectern/core/computed/SpecReading"

/** Field of a multipart form: a text, or the name of a file. */
export type FormField =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly file: string }

export type CallBody =
  | { readonly kind: "text"; readonly text: string }
  /** URL-encoded. */
  | { readonly kind: "form"; readonly fields: ReadonlyArray<readonly [name: string, text: string]> }
  /** `multipart/form-data`. */
  | { readonly kind: "parts"; readonly fields: ReadonlyArray<FormField> }
  /** Raw bytes of a file. */
  | { readonly kind: "file" }

export interface Call {
  /** HTTP method in upper case. */
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: CallBody
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
export const of = (call: Call, operation: Fields): ReadonlyArray<Sample> => {
  const given = listOf(operation["x-codeSamples"] ?? operation["x-code-samples"])
    .slice(0, 10)
    .flatMap((sample): ReadonlyArray<Sample> => {
      if (!isFields(sample)) return []
      const text = textOf(sample.source)
      const title = lineOf(sample.label, 40) || lineOf(sample.lang, 40)
      return text === "" || text.length > maxSample || title === ""
        ? []
        : [{ title, text, syntax: lineOf(sample.lang, 40).toLowerCase() }]
    })
  const named = new Set(given.flatMap(({ title, syntax }) => [title.toLowerCase(), syntax]))
  return [...given, ...languages.map((write) => write(call)).filter(({ title }) => !named.has(title.toLowerCase()))]
}

const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const quoted = (text: string): string => JSON.stringify(text)
const single = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
const goText = (text: string): string => (text.includes("`") ? quoted(text) : `\`${text}\``)
const encoded = (fields: ReadonlyArray<readonly [string, string]>): string =>
  new URLSearchParams(fields.map(([name, text]) => [name.toWellFormed(), text.toWellFormed()])).toString()
const partsOf = (body: CallBody | undefined): ReadonlyArray<FormField> => (body?.kind === "parts" ? body.fields : [])

const curl = ({ method, url, headers, body }: Call): Sample => {
  /** Text fields use `--form-string`, since `-F` would read a leading `@` as a file name. */
  const field = (one: FormField) =>
    "file" in one ? `-F ${shell(`${one.name}=@${one.file}`)}` : `--form-string ${shell(`${one.name}=${one.text}`)}`
  // `-X HEAD` would wait for a body, and a body without `-X` would turn GET into POST.
  const flag = method === "HEAD" ? "--head " : method === "GET" && body === undefined ? "" : `-X ${method} `
  const sent =
    body === undefined
      ? []
      : body.kind === "text"
        ? [body.text.startsWith("@") ? `--data-raw ${shell(body.text)}` : `-d ${shell(body.text)}`]
        : body.kind === "form"
          ? body.fields.map(([name, text]) => `--data-urlencode ${shell(`${encodeURIComponent(name)}=${text}`)}`)
          : body.kind === "file"
            ? ["--data-binary @file"]
            : body.fields.map(field)
  return {
    title: "curl",
    syntax: "bash",
    text: [
      `curl ${flag}${shell(url)}`,
      ...headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
      ...sent
    ].join(" \\\n  ")
  }
}

const javascript = ({ method, url, headers, body }: Call): Sample => {
  const hasFile = body?.kind === "file" || partsOf(body).some((one) => "file" in one)
  const before = [
    ...(hasFile ? ['const [file] = document.querySelector("input[type=file]").files'] : []),
    ...(body?.kind === "parts"
      ? [
          "const form = new FormData()",
          ...body.fields.map((one) =>
            "file" in one
              ? `form.append(${quoted(one.name)}, file)`
              : `form.append(${quoted(one.name)}, ${quoted(one.text)})`
          )
        ]
      : [])
  ]
  const sent =
    body === undefined
      ? []
      : body.kind === "text"
        ? [`  body: ${isPlainJson(body.text) ? `JSON.stringify(${indented(body.text, "  ")})` : quoted(body.text)},`]
        : body.kind === "form"
          ? [
              "  body: new URLSearchParams([",
              ...body.fields.map(([name, text]) => `    [${quoted(name)}, ${quoted(text)}],`),
              "  ]),"
            ]
          : [body.kind === "file" ? "  body: file," : "  body: form,"]
  const isPlain = method === "GET" && headers.length === 0 && body === undefined
  return {
    title: "JavaScript",
    syntax: "javascript",
    text: [
      ...before,
      `const response = await fetch(${quoted(url)}${isPlain ? ")" : ", {"}`,
      ...(method === "GET" ? [] : [`  method: ${quoted(method)},`]),
      ...(headers.length === 0
        ? []
        : ["  headers: {", ...headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`), "  },"]),
      ...sent,
      ...(isPlain ? [] : ["})"]),
      "console.log(await response.text())"
    ].join("\n")
  }
}

const python = ({ method, url, headers, body }: Call): Sample => {
  const parts = partsOf(body)
  const texts = parts.flatMap((one) => ("text" in one ? [[one.name, one.text] as const] : []))
  const files = parts.flatMap((one) => ("file" in one ? [one] : []))
  const pairs = (name: string, all: ReadonlyArray<readonly [string, string]>) => [
    `    ${name}=[`,
    ...all.map(([key, text]) => `        (${quoted(key)}, ${quoted(text)}),`),
    "    ],"
  ]
  // Without files, `requests` sends a multipart body only if every field is passed as a part.
  const isTextOnly = body?.kind === "parts" && files.length === 0
  const sent =
    body === undefined
      ? []
      : body.kind === "text"
        ? [`    data=${pythonText(body.text)}.encode(),`]
        : body.kind === "form"
          ? pairs("data", body.fields)
          : body.kind === "file"
            ? ['    data=open("file", "rb"),']
            : isTextOnly
              ? [
                  "    files=[",
                  ...texts.map(([key, text]) => `        (${quoted(key)}, (None, ${quoted(text)})),`),
                  "    ],"
                ]
              : [
                  ...(texts.length > 0 ? pairs("data", texts) : []),
                  "    files=[",
                  ...files.map(({ name, file }) => `        (${quoted(name)}, open(${quoted(file)}, "rb")),`),
                  "    ],"
                ]
  return {
    title: "Python",
    syntax: "python",
    text: [
      "import requests",
      "",
      "response = requests.request(",
      `    ${quoted(method)},`,
      `    ${quoted(url)},`,
      ...(headers.length === 0
        ? []
        : ["    headers={", ...headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`), "    },"]),
      ...sent,
      ")",
      "print(response.text)"
    ].join("\n")
  }
}

const go = ({ method, url, headers, body }: Call): Sample => {
  const parts = partsOf(body)
  const hasFile = body?.kind === "file" || parts.some((one) => "file" in one)
  const packages = [
    ...(body?.kind === "parts" ? ["bytes"] : []),
    "fmt",
    "io",
    ...(body?.kind === "parts" ? ["mime/multipart"] : []),
    "net/http",
    ...(hasFile ? ["os"] : []),
    ...(body?.kind === "text" || body?.kind === "form" ? ["strings"] : [])
  ]
  const before = [
    ...(body?.kind === "file" ? ['\tfile, _ := os.Open("file")'] : []),
    ...(body?.kind === "parts" ? ["\tvar form bytes.Buffer", "\twriter := multipart.NewWriter(&form)"] : []),
    ...parts.flatMap((one, i) =>
      "text" in one
        ? [`\twriter.WriteField(${quoted(one.name)}, ${goText(one.text)})`]
        : [
            `\tpart${i + 1}, _ := writer.CreateFormFile(${quoted(one.name)}, ${quoted(one.file)})`,
            `\tfile${i + 1}, _ := os.Open(${quoted(one.file)})`,
            `\tio.Copy(part${i + 1}, file${i + 1})`
          ]
    ),
    ...(body?.kind === "parts" ? ["\twriter.Close()"] : [])
  ]
  const sent =
    body === undefined
      ? "nil"
      : body.kind === "text"
        ? `strings.NewReader(${goText(body.text)})`
        : body.kind === "form"
          ? `strings.NewReader(${goText(encoded(body.fields))})`
          : body.kind === "file"
            ? "file"
            : "&form"
  return {
    title: "Go",
    syntax: "go",
    text: [
      "package main",
      "",
      `import (\n${packages.map((one) => `\t"${one}"`).join("\n")}\n)`,
      "",
      "func main() {",
      ...before,
      `\trequest, _ := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${sent})`,
      ...headers.map(([name, value]) => `\trequest.Header.Set(${quoted(name)}, ${quoted(value)})`),
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

const php = ({ method, url, headers, body }: Call): Sample => {
  const sent =
    body === undefined
      ? []
      : body.kind === "text"
        ? [`    CURLOPT_POSTFIELDS => ${single(body.text)},`]
        : body.kind === "form"
          ? [`    CURLOPT_POSTFIELDS => ${single(encoded(body.fields))},`]
          : body.kind === "file"
            ? ["    CURLOPT_POSTFIELDS => file_get_contents('file'),"]
            : [
                "    CURLOPT_POSTFIELDS => [",
                ...body.fields.map((one) =>
                  "file" in one
                    ? `        ${single(one.name)} => new CURLFile(${single(one.file)}),`
                    : `        ${single(one.name)} => ${single(one.text)},`
                ),
                "    ],"
              ]
  return {
    title: "PHP",
    syntax: "php",
    text: [
      "<?php",
      `$request = curl_init(${single(url)});`,
      "curl_setopt_array($request, [",
      `    CURLOPT_CUSTOMREQUEST => ${single(method)},`,
      "    CURLOPT_RETURNTRANSFER => true,",
      ...(headers.length === 0
        ? []
        : [
            "    CURLOPT_HTTPHEADER => [",
            ...headers.map(([name, value]) => `        ${single(`${name}: ${value}`)},`),
            "    ],"
          ]),
      ...sent,
      "]);",
      "echo curl_exec($request);"
    ].join("\n")
  }
}

const languages: ReadonlyArray<(call: Call) => Sample> = [curl, javascript, python, go, php]

/** True if the text is JSON whose numbers JavaScript represents exactly. */
const isPlainJson = (text: string): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(SpecNumber.parse(text))
  } catch {
    return false
  }
}

const indented = (text: string, by: string): string => text.replaceAll("\n", `\n${by}`)

const pythonText = (text: string): string =>
  text.includes("\n") && !text.includes("'''") && !text.includes("\\") ? `'''${text}'''` : quoted(text)
