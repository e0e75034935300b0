/** Requests of programs to the interface's own URL reach the server wherever on this machine it listens. */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, request, type RequestListener, type Server } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { AddressRanges } from "@lectern/core/fetch/Addresses"
import { forwardedHost } from "../../../apps/server/src/edge/RequestedHost.ts"
import { clientAddress } from "../../../apps/server/src/edge/ClientAddress.ts"
import * as Certificates from "../../../apps/server/test/Certificates.ts"
import { type InterfaceAddress, open } from "../src/OutboundProxy.ts"

const url = "https://docs.example.com"

const servers: Array<Server> = []
const folders: Array<string> = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const answer: RequestListener = (asked, response) => {
  const parts: Array<Buffer> = []
  asked.on("data", (part: Buffer) => parts.push(part))
  asked.on("end", () => {
    const { method, url, headers } = asked
    response.setHeader("x-answered", "yes")
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(parts).toString() }))
  })
}

/** An interface that listens in some way, and the address by which the door is told of it. */
const listening = async (isSecure: boolean, atSocket: boolean): Promise<InterfaceAddress> => {
  const pem = { cert: Certificates.one.certificate, key: Certificates.one.key }
  const server = isSecure ? (createSecureServer(pem, answer) as unknown as Server) : createServer(answer)
  servers.push(server)
  if (!atSocket) {
    await once(server.listen(0, "127.0.0.1"), "listening")
    return { host: "127.0.0.1", port: (server.address() as AddressInfo).port, isSecure }
  }
  const folder = mkdtempSync(join(tmpdir(), "lectern-"))
  folders.push(folder)
  const socketPath = join(folder, "interface.sock")
  await once(server.listen(socketPath), "listening")
  return { socketPath, isSecure }
}

const door = async (at: InterfaceAddress, left = 50) => {
  const server = open({ api: { url, at } }, () => left-- > 0)
  servers.push(server)
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  return async (to: string, body = "", more: Record<string, string> = {}) => {
    const sent = request({
      host: "127.0.0.1",
      port,
      path: to,
      method: body === "" ? "GET" : "POST",
      headers: { host: new URL(to).host, authorization: "Bearer token", connection: "close", ...more }
    }).end(body)
    const [response] = await once(sent, "response")
    let text = ""
    for await (const part of response) text += part
    return { status: response.statusCode as number, headers: response.headers, text }
  }
}

describe("The way out of an integration", () => {
  for (const [name, isSecure, atSocket] of [
    ["a port", false, false],
    ["a port over TLS", true, false],
    ["a Unix socket", false, true],
    ["a Unix socket over TLS", true, true]
  ] as const) {
    it(`leads to the interface at ${name}, by whatever name its certificate has`, async () => {
      const ask = await door(await listening(isSecure, atSocket))
      const answered = await ask(`${url}/v1/spaces/one?query=two`, "a body")
      expect(answered.status).toBe(200)
      expect(answered.headers["x-answered"]).toBe("yes")
      const { method, url: path, headers, body } = JSON.parse(answered.text)
      expect({ method, path, body }).toEqual({ method: "POST", path: "/v1/spaces/one?query=two", body: "a body" })
      expect(headers).toMatchObject({ host: "docs.example.com", authorization: "Bearer token" })

      // Another port or protocol of that name is somebody else.
      for (const other of ["https://docs.example.com:8443/", "http://127.0.0.1/", "http://localhost:4000/"]) {
        const refused = await ask(other)
        expect([other, refused.headers["x-answered"]]).toEqual([other, undefined])
        expect(refused.status).toBeGreaterThanOrEqual(400)
      }
    })
  }

  it("is a proxy that knows no address of a program, whatever that says of itself", async () => {
    const ask = await door(await listening(false, false))
    const told = async (more: Record<string, string>) =>
      JSON.parse((await ask(`${url}/v1/user`, "", more)).text).headers
    const trusted = { proxies: new AddressRanges(["127.0.0.1"]) }
    const saysNothing = await told({})
    expect(saysNothing).not.toHaveProperty("x-forwarded-for")
    expect(saysNothing).not.toHaveProperty("forwarded")
    for (const [header, said] of [
      ["x-forwarded-for", "192.0.2.1"],
      ["x-forwarded-for", "192.0.2.1, 127.0.0.1"],
      ["forwarded", "for=192.0.2.1;host=other.example.com;proto=https"],
      ["forwarded", 'for="192.0.2.1'],
      ["forwarded", 'for=192.0.2.1, for="']
    ] as const) {
      const headers = await told({
        [header]: said,
        "x-forwarded-host": "other.example.com",
        "x-forwarded-proto": "https"
      })
      // A renderer tells so of its visitor.
      expect(headers[header].startsWith(said)).toBe(true)
      expect(clientAddress({ ...trusted, header }, "127.0.0.1", headers)).toBe("127.0.0.1")
      expect(forwardedHost({ ...trusted, header }, "127.0.0.1", headers)).toEqual({
        host: undefined,
        protocol: undefined
      })
    }
  })

  it("says that the interface can't be reached where nothing listens, and ends with the allowance", async () => {
    const ask = await door({ socketPath: join(tmpdir(), "lectern-nothing-listens.sock") }, 1)
    const unreached = await ask(`${url}/v1/user`)
    expect(unreached.status).toBe(502)
    expect(unreached.text).toMatch(/^docs\.example\.com can't be reached/)
    expect((await ask(`${url}/v1/user`)).status).toBe(429)
  })
})
