/** A call of an operation in several languages, as somebody would write it. */
import { isFields, lineOf, listOf, textOf } from "@lectern/core/computed/SpecReading"
import type { Fields } from "@lectern/core/computed/SpecReading"

export interface Call {
  /** In capitals. */
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: string
}

export interface Sample {
  readonly title: string
  readonly syntax: string
  readonly text: string
}

const maxSample = 20_000

/** Those that the spec gives come first, and stand for ours in the same language. */
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

const languages: ReadonlyArray<(call: Call) => Sample> = [
  ({ method, url, headers, body }) => ({
    title: "curl",
    syntax: "bash",
    text: [
      `curl ${method === "GET" ? "" : `-X ${method} `}${shell(url)}`,
      ...headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : [`-d ${shell(body)}`])
    ].join(" \\\n  ")
  }),
  ({ method, url, headers, body }) => ({
    title: "JavaScript",
    syntax: "javascript",
    text: [
      `const response = await fetch(${quoted(url)}${method === "GET" && headers.length === 0 ? ")" : ", {"}`,
      ...(method === "GET" ? [] : [`  method: ${quoted(method)},`]),
      ...(headers.length === 0
        ? []
        : ["  headers: {", ...headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`), "  },"]),
      ...(body === undefined
        ? []
        : [`  body: ${isJson(body) ? `JSON.stringify(${indented(body, "  ")})` : quoted(body)},`]),
      ...(method === "GET" && headers.length === 0 ? [] : ["})"]),
      "console.log(await response.json())"
    ].join("\n")
  }),
  ({ method, url, headers, body }) => ({
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
      ...(body === undefined ? [] : [`    data=${pythonText(body)},`]),
      ")",
      "print(response.text)"
    ].join("\n")
  }),
  ({ method, url, headers, body }) => ({
    title: "Go",
    syntax: "go",
    text: [
      "package main",
      "",
      `import (\n\t"fmt"\n\t"io"\n\t"net/http"${body === undefined ? "" : '\n\t"strings"'}\n)`,
      "",
      "func main() {",
      `\trequest, _ := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${body === undefined ? "nil" : `strings.NewReader(${goText(body)})`})`,
      ...headers.map(([name, value]) => `\trequest.Header.Set(${quoted(name)}, ${quoted(value)})`),
      "\tresponse, err := http.DefaultClient.Do(request)",
      "\tif err != nil {\n\t\tpanic(err)\n\t}",
      "\tdefer response.Body.Close()",
      "\tbody, _ := io.ReadAll(response.Body)",
      "\tfmt.Println(string(body))",
      "}"
    ].join("\n")
  }),
  ({ method, url, headers, body }) => ({
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
      ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => ${single(body)},`]),
      "]);",
      "echo curl_exec($request);"
    ].join("\n")
  })
]

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const indented = (text: string, by: string): string => text.replaceAll("\n", `\n${by}`)

const pythonText = (text: string): string =>
  text.includes("\n") && !text.includes("'''") && !text.includes("\\") ? `'''${text}'''` : quoted(text)
