import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { type Exchange, type Head, ProgramSocket } from "../src/ProgramSocket.ts"

let folder: string
let server: Server
let connections: number
const sockets = new Set<Socket>()

/** A server that answers each request, whose bodies are short, by writing these parts one after another. */
const serving = async (parts: (asked: string) => ReadonlyArray<string>, ends = false) => {
  folder = await mkdtemp(join(tmpdir(), "lectern-"))
  connections = 0
  server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.setNoDelay(true)
    let asked = ""
    socket.on("error", () => {})
    socket.on("data", async (bytes: Buffer) => {
      asked += bytes.toString()
      const end = asked.indexOf("\r\n\r\n")
      if (end === -1 || Buffer.byteLength(asked.slice(end + 4)) < Number(/content-length: (\d+)/.exec(asked)?.[1]))
        return
      const answer = parts(asked)
      asked = ""
      for (const part of answer) {
        socket.write(part)
        await new Promise((done) => setImmediate(done))
      }
      if (ends) socket.end()
    })
  })
  const path = join(folder, "events.sock")
  await new Promise<void>((done) => server.listen(path, done))
  return new ProgramSocket(path)
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await new Promise((done) => server.close(done))
  await rm(folder, { recursive: true, force: true })
})

const ask = (socket: ProgramSocket, text: string, body: string | ReadonlyArray<Uint8Array> = text) =>
  new Promise<{ head: Head | undefined; text: string; failed: boolean }>((done) => {
    let head: Head | undefined
    let exchange: Exchange | undefined
    let got = ""
    const ended = (failed: boolean) => done({ head, text: got, failed })
    socket.request(`POST /v1 HTTP/1.1\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`, body, {
      started: (begun) => {
        exchange = begun
      },
      head: (read) => {
        head = read
      },
      // Each piece is one too many, and asked for again.
      data: (bytes) => {
        got += Buffer.from(bytes).toString()
        setImmediate(() => exchange!.resume())
        return false
      },
      end: () => ended(false),
      fail: () => ended(true)
    })
  })

const bodyOf = (asked: string) => asked.slice(asked.indexOf("\r\n\r\n") + 4)

describe("ProgramSocket", () => {
  it("reads answers of a length, however they are cut, on one connection", async () => {
    const socket = await serving((asked) => {
      const text = `You said ${bodyOf(asked)}`
      const answer = `HTTP/1.1 200 OK\r\nX-One: 1\r\nset-cookie: a=b\r\nSet-Cookie: c\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
      const cut = asked.length % answer.length
      return [answer.slice(0, cut), answer.slice(cut)]
    })
    for (let i = 0; i < 120; i++) {
      const said = "é".repeat(i)
      const { head, text, failed } = await ask(socket, said)
      expect({ status: head?.status, text, failed }).toEqual({ status: 200, text: `You said ${said}`, failed: false })
      expect(head?.rawHeaders.slice(0, 6)).toEqual(["X-One", "1", "set-cookie", "a=b", "Set-Cookie", "c"])
    }
    expect(connections).toBe(1)
  })

  it("gives pieces that stay as they are, whatever other connections read meanwhile", async () => {
    const socket = await serving((asked) => {
      const text = bodyOf(asked).repeat(5_000)
      const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`
      return [0, 1, 2, 3].map((i) => answer.slice((i * answer.length) / 4, ((i + 1) * answer.length) / 4))
    })
    const pieces = (text: string) =>
      new Promise<string>((done, fail) => {
        const kept: Array<Uint8Array> = []
        socket.request(`POST /v1 HTTP/1.1\r\ncontent-length: ${text.length}\r\n\r\n`, text, {
          started: () => {},
          head: () => {},
          data: (bytes) => kept.push(bytes) > 0,
          end: () => done(Buffer.concat(kept).toString()),
          fail
        })
      })
    const asked = Array.from({ length: 12 }, (_, i) => String.fromCharCode(97 + i).repeat(7))
    expect(await Promise.all(asked.map(pieces))).toEqual(asked.map((text) => text.repeat(5_000)))
    expect(connections).toBe(asked.length)
  })

  it("reads chunks with trailers, answers without a body, and what comes before an answer", async () => {
    const answers = [
      ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;a=b\r\nabc\r", "\n2\r\nde\r\n0\r\nx: y\r\n\r\n"],
      ["HTTP/1.1 204 No Content\r\n\r\n"],
      ["HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n"],
      ["HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 500 \r\ncontent-length: 0\r\n\r\n"]
    ]
    const socket = await serving(() => answers.shift()!)
    const read = []
    for (let i = 0; i < 4; i++) read.push(await ask(socket, "a", [Buffer.from("a")]))
    expect(read.map(({ head, text, failed }) => [head?.status, text, failed])).toEqual([
      [200, "abcde", false],
      [204, "", false],
      [304, "", false],
      [500, "", false]
    ])
    expect(connections).toBe(1)
  })

  it("reads what ends with its connection, and takes another one for the next", async () => {
    const socket = await serving(() => ["HTTP/1.1 200 OK\r\n\r\nall", " of it"], true)
    expect(await ask(socket, "a")).toMatchObject({ text: "all of it", failed: false })
    expect(await ask(socket, "a")).toMatchObject({ text: "all of it", failed: false })
    expect(connections).toBe(2)
  })

  it("uses no connection again that is to be closed, or on which more came than was asked for", async () => {
    const answers = [
      "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 1\r\n\r\na",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nb"
    ]
    const socket = await serving(() => [answers.shift()!])
    const texts = [await ask(socket, "1"), await ask(socket, "2"), await ask(socket, "3")].map(({ text }) => text)
    expect(texts).toEqual(["a", "a", "b"])
    expect(connections).toBe(3)
  })

  it("uses no connection again that was given up while the whole answer was read from it", async () => {
    const socket = await serving((asked) => [`HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n${bodyOf(asked)}`])
    const second = await new Promise<Awaited<ReturnType<typeof ask>>>((done) => {
      let exchange: Exchange | undefined
      socket.request("POST /v1 HTTP/1.1\r\ncontent-length: 1\r\n\r\n", "a", {
        started: (begun) => {
          exchange = begun
        },
        head: () => exchange!.abort(),
        data: () => true,
        end: () => done(ask(socket, "b")),
        fail: () => done(ask(socket, "b"))
      })
    })
    expect(second).toMatchObject({ text: "b", failed: false })
    expect(connections).toBe(2)
  })

  it.each([
    ["a body that is cut off", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc", true],
    ["chunks that are cut off", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n", true],
    ["no answer", "", true],
    ["half a head", "HTTP/1.1 200 OK\r\nx: y\r\n", true],
    ["what is no HTTP", "hello\r\n\r\n", false],
    ["a length that is none", "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n", false],
    ["a chunk of no size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n", false],
    ["a chunk that is longer than it says", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n", false],
    ["a head without end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}`, false]
  ])("fails for %s", async (_, answer, ends) => {
    const socket = await serving(() => [answer], ends)
    expect(await ask(socket, "a")).toMatchObject({ failed: true })
  })

  it("fails what is asked where nobody listens, and what is under way when it ends", async () => {
    expect(await ask(new ProgramSocket("/nowhere/events.sock"), "a")).toMatchObject({ failed: true })
    const socket = await serving(() => [])
    const asked = ask(socket, "a")
    socket.end()
    expect(await asked).toMatchObject({ failed: true })
  })
})
