/**
 * Makes the data folder of this version of Lectern, for `Upgrade.test.ts`, which opens those of all versions with
 * the newest: `node apps/server/test/releases/make.ts`. Run it for each release, and whenever the version of the
 * data has gone up, and commit the file. One that was released is never made again.
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import { gzipSync } from "node:zlib"
import Database from "better-sqlite3"
import { version } from "@lectern/cli/Version"

const main = resolve(import.meta.dirname, "../../src/main.ts")
const folder = mkdtempSync(join(tmpdir(), "lectern-release-"))
const data = join(folder, "data")
const env = { ...process.env, LECTERN_DATA: data, LECTERN_CATALOGUE: "off" }

const lectern = (...args: ReadonlyArray<string>) =>
  JSON.parse(execFileSync(process.execPath, [main, ...args, "--json"], { env, encoding: "utf8" }))

const pages = {
  "README.md": "# Handbook\n\nHow we work, with **bold** words and a [link](guide/first.md).\n",
  "guide/first.md":
    '# First steps\n\n{% hint style="info" %}\nMind the gap.\n{% endhint %}\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
  "guide/second.md": "# Second steps\n\n```ts\nconst answer = 42\n```\n\n![](../large.png)\n"
}
const handbook = join(folder, "handbook")
mkdirSync(join(handbook, "guide"), { recursive: true })
for (const [path, text] of Object.entries(pages)) writeFileSync(join(handbook, path), text)
// Large enough for a file of its own.
writeFileSync(join(handbook, "large.png"), Buffer.alloc(1_200_000))

const { organization, user, token } = lectern("organization", "create", "--title", "Acme", "--email", "ada@example.com")
const { space } = lectern("import", handbook)

const server = spawn(process.execPath, [main, "serve", "--port", "0", "--json"], {
  env,
  stdio: ["ignore", "pipe", "inherit"]
})
const [line] = await once(server.stdout, "data")
const { url } = JSON.parse(String(line))

const call = async (method: string, path: string, body: object) => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { readonly id: string }
}

const changeRequest = await call("POST", `/v1/spaces/${space.id}/change-requests`, { subject: "Later" })
const site = await call("POST", `/v1/orgs/${organization.id}/sites`, { title: "Docs", spaces: [space.id] })
server.kill("SIGTERM")
await once(server, "exit")

const database = new Database(join(data, "lectern.db"))
const format = database.pragma("user_version", { simple: true }) as number
database.pragma("wal_checkpoint(TRUNCATE)")
database.exec("VACUUM")
database.pragma("journal_mode = DELETE")
database.close()

const files = readdirSync(data, { recursive: true, encoding: "utf8" })
  .map((path) => join(data, path))
  .filter((path) => statSync(path).isFile())
  .map((path) => [relative(data, path), readFileSync(path).toString("base64")] as const)

const release = {
  version,
  format,
  token,
  user: user.id,
  organization: organization.id,
  space: space.id,
  changeRequest: changeRequest.id,
  site: site.id,
  files: Object.fromEntries(files)
}
const name = `${version}-data-${format}.json.gz`
writeFileSync(join(import.meta.dirname, name), gzipSync(JSON.stringify(release), { level: 9 }))
rmSync(folder, { recursive: true })
console.log(`${name}: ${statSync(join(import.meta.dirname, name)).size} bytes`)
