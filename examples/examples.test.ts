/** Runs each example as users run it: with Node.js, on a new database file. */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"

const run = promisify(execFile)

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-examples-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const expectedOutput = `Handbook: #1 "A first page" answered merge
# Welcome

It is good that you are here.

Found in Welcome: It is good that you are here.
`

const expectedByExample = {
  "embed-effect.ts": `${expectedOutput}SpaceNotFound: There is no space (its id)\n`,
  "embed-promise.ts": `${expectedOutput}SpaceNotFound: There is no space (its id)\n`,
  "import-and-export.ts": `Added README.md, guide.md
Wrote 2 pages: README.md, SUMMARY.md, guide.md
Added README.md, yearly.md
`,
  "embed-in-a-product.ts": "Ada wrote: Handbook\n",
  "embed-in-node-http.ts": `The application's own page\nSigned in as Ada\n${expectedOutput}401: The request needs a valid token: Authorization: Bearer <token>\n`,
  "outbox.ts": `writers: 2 added, 0 changed, 0 removed
writers: 0 added, 0 changed, 0 removed
1 merge
`,
  "tables-of-your-own.ts": "SQLITE_CONSTRAINT_PRIMARYKEY\nEach organization is a customer: true\n",
  "sites-of-your-own.ts": `https://acme-docs.docs.example.com/
<h1>Install</h1> <aside class="acme-hint"><p>Mind the gap &amp; more.</p></aside>
<nav class="acme-menu"><a href="/">Acme</a> Acme docs</nav> <footer class="acme-footer">© Acme</footer>
The application's own page
<link rel="stylesheet" href="/docs.css"> <meta name="theme-color" content="#0a7d4f">
`,
  "publish-a-site.ts": `https://docs.example.com/acme-docs/
  # Install Plug it in. [Guides]
https://docs.example.com/acme-docs/repair
  # Repair Unplug it first. [Guides]
https://docs.example.com/acme-docs/labs/glow
  no page at /labs/glow
https://docs.example.com/acme-docs/labs/glow?visitor.beta=true
  # Glow It glows in the dark. [Guides, Labs]
`
}

it("each of them is run here", async () => {
  const files = (await readdir(import.meta.dirname)).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts")
  )
  assert.sameMembers(files, Object.keys(expectedByExample))
})

it.each(Object.entries(expectedByExample))(
  "%s writes, merges and reads on SQLite and in memory",
  async (name, expected) => {
    const file = join(folder, `${name}.db`)
    // The examples share one compile cache.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") }
    const { stdout, stderr } = await run(process.execPath, [join(import.meta.dirname, name), file], { env })
    assert.strictEqual(stderr, "")
    // Removes warnings about a busy machine.
    assert.strictEqual(stdout.replace(/^\[[\d:.]+\] WARN .*\n/gm, ""), expected + expected)
    assert.include(await readdir(folder), `${name}.db`)
  }
)
