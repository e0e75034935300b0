/**
 * The command: reads the arguments, requests missing ones from a person at a terminal, and writes the project.
 */
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { createInterface, type Interface } from "node:readline"
import { parseArgs } from "node:util"
import { projectAt, ProjectRefused, type Templates, writeProject } from "./Project.ts"

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8")

const templates = JSON.parse(read("../templates.json")) as Templates
const names = Object.keys(templates)

const listOfTemplates = names.map((name) => `  ${name.padEnd(8)}  ${templates[name]!.title}`).join("\n")

const help = `Creates a project that embeds Lectern.

Usage: npm create lectern@latest <folder> -- --template <template>

Templates:
${listOfTemplates}
`

let terminal: Interface | undefined
/** Lines that the person enters. Buffered, since a person may paste several lines at once. */
let lines: AsyncIterator<string> | undefined

/** Requests an answer from a person. Throws `ProjectRefused` with the arguments to pass if no terminal exists. */
const ask = async (question: string, argument: string): Promise<string> => {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new ProjectRefused(`Pass ${argument}: npm create lectern@latest my-app -- --template express`)
  terminal ??= createInterface({ input: process.stdin, output: process.stdout })
  lines ??= terminal[Symbol.asyncIterator]()
  terminal.setPrompt(`${question} `)
  terminal.prompt()
  const { done, value } = await lines.next()
  if (done === true) throw new ProjectRefused("Stopped")
  return value.trim()
}

const askForTemplate = async (): Promise<string> => {
  const numbered = names.map((name, index) => `  ${index + 1}  ${name.padEnd(8)}  ${templates[name]!.title}`)
  const answer = await ask(`Template:\n${numbered.join("\n")}\nNumber or name:`, "a template")
  return names[Number(answer) - 1] ?? answer
}

/** Name of the package manager that runs this command. */
const packageManager = (): string =>
  /^(?:npm|pnpm|yarn|bun)(?=\/)/.exec(process.env["npm_config_user_agent"] ?? "")?.[0] ?? "npm"

const create = async (): Promise<void> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { template: { type: "string" }, help: { type: "boolean" }, version: { type: "boolean" } }
  })
  if (values.help === true) return console.log(help)
  if (values.version === true) return console.log((JSON.parse(read("../package.json")) as { version: string }).version)
  if (positionals.length > 1) throw new ProjectRefused(`Pass one folder, not ${positionals.length}`)
  const folder = positionals[0] ?? (await ask("Folder:", "a folder"))
  const { path } = projectAt(folder)
  const name = values.template ?? (await askForTemplate())
  const template = Object.hasOwn(templates, name) ? templates[name] : undefined
  if (template === undefined)
    throw new ProjectRefused(
      `There is no template ${JSON.stringify(name.slice(0, 100))}. Templates: ${names.join(", ")}`
    )
  await writeProject(folder, template)
  const steps = [`${packageManager()} install`, `${packageManager()} run ${template.firstScript}`]
  const target = relative(process.cwd(), path)
  if (target !== "") steps.unshift(`cd ${/^[\w./-]+$/.test(target) ? target : JSON.stringify(target)}`)
  console.log(`Created ${folder} from the template ${name}. Next:\n\n${steps.map((step) => `  ${step}`).join("\n")}\n`)
}

const fail = (error: NodeJS.ErrnoException): void => {
  const isExpected = error instanceof ProjectRefused || error.code?.startsWith("ERR_PARSE_ARGS") === true
  if (!isExpected) throw error
  console.error(error.message)
  process.exitCode = 1
}

void create()
  .catch(fail)
  .finally(() => terminal?.close())
