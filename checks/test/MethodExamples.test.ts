import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join, resolve } from "node:path"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import * as SignIn from "@lectern/sign-in/SignIn"
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { API } from "typescript/unstable/sync"
import { codeIn, instanceMethods, offeredMethods } from "../../bundle/methods/OfferedMethods.ts"

type Extensions = ReturnType<typeof Exchange.extension> | ReturnType<typeof SignIn.extension>
type Instance = EmbeddedLectern<Extensions>

/** Returns the values that examples may use by name. The page of services lists them. */
const makeValues = async (lectern: Instance) => {
  const ada = await lectern.users.create({ email: "ada@acme.example", displayName: "Ada" })
  const eve = await lectern.users.create({ email: "eve@acme.example", displayName: "Eve" })
  const organization = await lectern.organizations.create({ title: "Acme" }, ada.id)
  await lectern.organizations.join(organization.id, eve.id, "edit")
  const collection = await lectern.collections.create(organization.id, { title: "Guides" })
  const space = await lectern.spaces.create(organization.id, { title: "Handbook" })
  const other = await lectern.spaces.create(organization.id, { title: "API", parent: collection.id })
  await lectern.content.live.write(space.id, [
    { operation: "insert_page", title: "Start", document: { markdown: "# Start\n\nRefunds take 14 days." } }
  ])
  const changeRequest = await lectern.changeRequests.create(space.id, { subject: "Explain prices" })
  const site = await lectern.sites.create(organization.id, { title: "Acme docs", spaces: [space.id] })
  const { token } = await lectern.tokens.create(ada.id)
  return { lectern, ada, eve, organization, collection, space, other, changeRequest, site, token }
}

/** Types of the values, for the checked file. */
const types = `import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import type { ChangeRequest } from "@lectern/core/change-request/ChangeRequest"
import type { Collection } from "@lectern/core/collection/Collection"
import type { Organization } from "@lectern/core/organization/Organization"
import type { Site } from "@lectern/core/site/Site"
import type { Space } from "@lectern/core/space/Space"
import type { User } from "@lectern/core/user/User"
import type * as Exchange from "@lectern/exchange/Exchange"
import type * as SignIn from "@lectern/sign-in/SignIn"

declare const lectern: EmbeddedLectern<ReturnType<typeof Exchange.extension> | ReturnType<typeof SignIn.extension>>
declare const ada: User, eve: User
declare const organization: Organization
declare const collection: Collection
declare const space: Space, other: Space
declare const changeRequest: ChangeRequest
declare const site: Site
declare const token: string
`

const examples = [...instanceMethods(), ...offeredMethods()].flatMap(({ path, examples }) =>
  examples.map((example) => ({ path, code: codeIn(example) }))
)

it("has examples of the methods that hosts need first", () => {
  const services = new Set(examples.map(({ path }) => path.split(".")[0]))
  assert.isAtLeast(examples.length, 40)
  for (const service of ["organizations", "users", "spaces", "content", "changeRequests", "sites", "search"])
    assert.isTrue(services.has(service), service)
})

it("has examples that the compiler accepts", () => {
  const folder = resolve("node_modules/.cache/method-examples")
  mkdirSync(folder, { recursive: true })
  const file = join(folder, "examples.ts")
  const importLine = /^import .*$/gm
  const imports = examples.flatMap(({ code }) => code.match(importLine) ?? [])
  const bodies = examples.map(
    ({ code }, index) => `export const example${index} = async () => {\n${code.replaceAll(importLine, "")}\n}`
  )
  writeFileSync(file, [...imports, types, ...bodies].join("\n"))
  const config = join(folder, "tsconfig.json")
  const compilerOptions = {
    noEmit: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
    composite: false,
    types: ["node"]
  }
  writeFileSync(config, JSON.stringify({ extends: resolve("tsconfig.base.json"), compilerOptions, files: [file] }))
  const api = new API()
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)!
    const messages = [
      ...project.program.getSyntacticDiagnostics(file),
      ...project.program.getSemanticDiagnostics(file)
    ].map(({ text }) => text)
    assert.deepStrictEqual(messages, [])
  } finally {
    api.close()
    rmSync(folder, { recursive: true })
  }
})

describe("examples that run over memory", () => {
  let lectern: Awaited<ReturnType<typeof MemoryLectern.open<Extensions>>>
  beforeAll(async () => {
    lectern = await MemoryLectern.open({
      extensions: [Exchange.extension(), SignIn.extension()],
      background: false,
      logger: () => {}
    })
  })
  afterAll(() => lectern.close())

  const AsyncFunction = (async () => {}).constructor as new (
    ...names: ReadonlyArray<string>
  ) => (...values: ReadonlyArray<unknown>) => Promise<unknown>

  const runnable = examples.filter(({ code }) => !code.includes("import "))
  for (const [index, { path, code }] of runnable.entries()) {
    it(`${path} (${index})`, async () => {
      const reset = await lectern.checkpoint()
      try {
        const values = await makeValues(lectern)
        const printed: Array<unknown> = []
        const console = { log: (...texts: ReadonlyArray<unknown>) => void printed.push(...texts) }
        const names = { ...values, console }
        // The braces allow an example to declare a value of its own with one of the names.
        const run = new AsyncFunction(...Object.keys(names), `{\n${stripTypeScriptTypes(code)}\n}`)
        await run(...Object.values(names))
        assert.notInclude(printed, undefined)
      } finally {
        await reset()
      }
    })
  }
})
