/**
 * A process that writes down the events it gets, until it is killed: `node ReaderProcess.ts <database> <log>`.
 * A line is appended for each event that a handler has begun with, in one write.
 */
import { appendFileSync } from "node:fs"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"

const [file, log] = process.argv.slice(2)
const lectern = await SqliteLectern.open({
  file: file!,
  background: false,
  subscriptions: { lease: { milliseconds: 300 }, poll: { milliseconds: 20 } }
})
await lectern.on(["space_created"], ({ space }) => appendFileSync(log!, `${space}\n`), { reader: "log" })
process.stdout.write("ready\n")
