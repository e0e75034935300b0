import { assert, describe, it } from "@effect/vitest"
import { problemOf } from "@lectern/core/integration/IntegrationScript"

const module = (text: string) => problemOf({ text, runtime: "v2" })

describe("A script", () => {
  it("is a module that exports what is run as its default, however it says so", () => {
    for (const text of [
      "export default { fetch() {} }",
      "export default function () {}",
      "const program = {}; export { program as default }",
      "const program = {}; export { program as 'default' }",
      "export { default } from 'node:buffer'",
      "export * as default from 'node:buffer'",
      "import path from 'path/posix'; import { AsyncLocalStorage } from 'node:async_hooks'; export default { path }",
      "import { connect } from 'cloudflare:sockets'; export default { fetch: () => import('./later.js') }"
    ]) {
      assert.isUndefined(module(text), text)
    }
  })

  it("is refused without one, or with imports of what is not there", () => {
    for (const text of ["", "export const fetch = 1", "export { a as b }; let a", "export * from 'node:buffer'"]) {
      assert.match(module(text) ?? "", /no default export/, text)
    }
    const imports: ReadonlyArray<readonly [text: string, name: string]> = [
      ["import { Router } from 'itty-router'", "itty-router"],
      ["import './lib.js'", "./lib.js"],
      ["export * from '/lib.js'", "/lib.js"],
      ["export { a } from 'https://cdn.example/a.js'", "https://cdn.example/a.js"],
      ["import 'script.js'", "script.js"]
    ]
    for (const [text, name] of imports) {
      assert.include(module(`${text}; export default {}`), `imports "${name}", which the runtime does not provide`)
    }
  })

  it("of the classic kind exports and imports nothing", () => {
    const classic = (text: string) => problemOf({ text, runtime: "v1" })
    assert.isUndefined(classic("addEventListener('fetch', () => {})"))
    for (const text of ["export default {}", "import 'node:fs'"]) {
      assert.match(classic(text) ?? "", /is a module: publish it with "runtime": "v2"/, text)
    }
    assert.match(classic("function (") ?? "", /can't be read/)
  })
})
