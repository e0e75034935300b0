/**
 * Checks that a script parses, as a module or a classic script. A module has a default export and imports only modules
 * of the runtime, since it is the only file.
 */
import { parse, type Program } from "acorn"
import * as Computation from "../thread/Computation.ts"

/** Maximum length of a script that is parsed on the calling thread, in characters: it parses in a few milliseconds. */
const smallLength = 32 * 1024

export interface Script {
  readonly text: string
  /** `v1`: a classic script; `v2`: a module. */
  readonly runtime: "v1" | "v2"
}

/** Modules of Node, by their names without the prefix `node:`. Runtimes may accept these names. */
const nodeModules = new Set(
  (
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain " +
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl " +
    "stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib"
  ).split(" ")
)

const isProvided = (module: string): boolean =>
  /^(node|cloudflare|workerd):/.test(module) || nodeModules.has(module.split("/")[0]!)

/** Returns the names that a statement exports, and the module that it imports from. */
const importsAndExports = (
  statement: Program["body"][number]
): { readonly exports: ReadonlyArray<unknown>; readonly from?: unknown } => {
  switch (statement.type) {
    case "ExportDefaultDeclaration":
      return { exports: ["default"] }
    case "ExportNamedDeclaration": {
      const names = statement.specifiers.map(({ exported }) =>
        exported.type === "Identifier" ? exported.name : exported.value
      )
      return { exports: names, from: statement.source?.value }
    }
    case "ExportAllDeclaration": {
      const { exported, source } = statement
      return { exports: [exported?.type === "Identifier" ? exported.name : exported?.value], from: source.value }
    }
    case "ImportDeclaration":
      return { exports: [], from: statement.source.value }
    default:
      return { exports: [] }
  }
}

const moduleProblem = ({ body }: Program): string | undefined => {
  const statementPorts = body.map(importsAndExports)
  const missingModule = statementPorts.find(({ from }) => typeof from === "string" && !isProvided(from))?.from
  if (missingModule !== undefined) {
    return `The script imports ${JSON.stringify(String(missingModule).slice(0, 100))}, which the runtime does not provide: bundle it into the script`
  }
  return statementPorts.some(({ exports }) => exports.includes("default"))
    ? undefined
    : "The script has no default export: export an object with a `fetch` method as the default"
}

/** Returns the problem of a script, with the line, or undefined if it is valid. */
export const problemOf = ({ text, runtime }: Script): string | undefined => {
  try {
    const isModule = runtime === "v2"
    const sourceType = isModule ? "module" : "script"
    const program = parse(text, { ecmaVersion: "latest", sourceType, allowHashBang: true })
    return isModule ? moduleProblem(program) : undefined
  } catch (error) {
    // If a script is nested too deeply for the stack, the parser throws and the script is rejected.
    const reason = error instanceof Error ? error.message : "it is not JavaScript"
    // The message explains how to publish a module, since the default runtime is for classic scripts while most scripts
    // are modules.
    if (reason.includes("sourceType: module")) return 'The script is a module: publish it with "runtime": "v2"'
    return `The script can't be read: ${reason}`
  }
}

export const CheckScript = Computation.make({
  name: "check-script",
  isSmall: ({ text }: Script) => text.length <= smallLength,
  run: problemOf
})
