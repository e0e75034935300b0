/**
 * Baseline of other benchmarks: `node:http` over better-sqlite3 and nothing else.
 *
 * - All requests: hashes the token and reads its row.
 * - Resource: reads its row, or up to 100 rows for a list, and writes JSON.
 * - Page tree: reads the row of the space, and returns stored bytes.
 * - PATCH: one durable transaction.
 * - Site, or URL of a site: returns a stored response.
 *
 * Run as `node bench/BareServer.ts <file> <port>`. Prints `ready`.
 */
import { createHash } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import Database from "better-sqlite3"

const [file = "", port = "0"] = process.argv.slice(2)

const db = new Database(file)
db.pragma("journal_mode = WAL")
db.pragma("synchronous = FULL")
db.exec("CREATE TABLE IF NOT EXISTS token (hash TEXT PRIMARY KEY, doc TEXT NOT NULL)")
db.exec("CREATE TABLE IF NOT EXISTS space (id TEXT PRIMARY KEY, doc TEXT NOT NULL)")
db.exec("CREATE TABLE IF NOT EXISTS page (id TEXT PRIMARY KEY, doc TEXT NOT NULL)")
db.exec("CREATE TABLE IF NOT EXISTS tree (id TEXT PRIMARY KEY, doc TEXT NOT NULL)")
db.exec("CREATE TABLE IF NOT EXISTS answer (id TEXT PRIMARY KEY, doc TEXT NOT NULL)")

const token = db.prepare<[string], { doc: string }>("SELECT doc FROM token WHERE hash = ?")
const space = db.prepare<[string], { doc: string }>("SELECT doc FROM space WHERE id = ?")
const page = db.prepare<[string], { doc: string }>("SELECT doc FROM page WHERE id = ?")
const selectDocument = db.prepare<[string], { doc: string }>("SELECT doc FROM answer WHERE id = ?")
const spaces = db.prepare<[], { doc: string }>("SELECT doc FROM space ORDER BY id LIMIT 100")
const tree = db.prepare<[string], { doc: string }>("SELECT doc FROM tree WHERE id = ?")
const write = db.prepare<[string, string]>("UPDATE space SET doc = ? WHERE id = ?")
const patch = db.transaction((id: string, changes: object) => {
  const row = space.get(id)
  if (row === undefined) return undefined
  const doc = { ...JSON.parse(row.doc), ...changes, updatedAt: new Date().toISOString() }
  write.run(JSON.stringify(doc), id)
  return doc
})

const sendJson = (response: ServerResponse, status: number, value: unknown) => {
  const body = JSON.stringify(value)
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    .end(body)
}

const trees = new Map<string, Buffer>()

const sendTree = (response: ServerResponse, id: string) => {
  if (space.get(id) === undefined) return sendJson(response, 404, {})
  let body = trees.get(id)
  if (body === undefined) trees.set(id, (body = Buffer.from(tree.get(id)?.doc ?? "{}")))
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body)
}

const sendStored = (response: ServerResponse, key: string) => {
  const row = selectDocument.get(key)
  return row === undefined ? sendJson(response, 404, {}) : sendJson(response, 200, JSON.parse(row.doc))
}

const server = createServer((request, response) => {
  const credential = request.headers.authorization?.slice("Bearer ".length) ?? ""
  const tokenRow = token.get(createHash("sha256").update(credential).digest("base64url"))
  if (tokenRow === undefined || JSON.parse(tokenRow.doc).revokedAt !== undefined) return sendJson(response, 401, {})
  const [, , kind, id = "", , part, pageId] = (request.url ?? "").split("/")
  if (kind === "orgs" && request.url!.includes("/sites/")) return sendStored(response, request.url!)
  if (kind === "orgs") {
    const items = spaces.all().map(({ doc }) => JSON.parse(doc) as unknown)
    return sendJson(response, 200, { items, count: items.length })
  }
  if (request.method === "PATCH") {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => sendJson(response, 200, patch.immediate(id, JSON.parse(Buffer.concat(chunks).toString()))))
    return
  }
  if (part === "pages") return sendTree(response, id)
  if (request.method === "POST") {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => sendStored(response, JSON.parse(Buffer.concat(chunks).toString()).url))
    return
  }
  const row = pageId === undefined ? space.get(id) : page.get(pageId)
  return row === undefined ? sendJson(response, 404, {}) : sendJson(response, 200, JSON.parse(row.doc))
})

server.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"))
