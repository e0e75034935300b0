/**
 * An identity provider in a separate process. It authenticates the email in the query parameter `as` without a
 * password. The response is an HTML form, as browsers post it. Prints its URL and certificate as one line of JSON.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { encoded, makeKeys, readRequest, respond } from "./IdentityProvider.ts"

const keys = await makeKeys()

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", base())
  const answer = async () => {
    const asked = await readRequest(url.href)
    const xml = await respond({
      keys,
      issuer: base(),
      acsURL: asked.assertionConsumerServiceURL,
      audience: asked.issuer,
      inResponseTo: asked.id,
      nameID: "subject-1",
      attributes: { email: url.searchParams.get("as") ?? "", displayName: "Ada Lovelace" }
    })
    const field = `<input type="hidden" name="SAMLResponse" value="${encoded(xml)}">`
    response.writeHead(200, { "content-type": "text/html" })
    response.end(`<form method="post" action="${asked.assertionConsumerServiceURL}">${field}</form>`)
  }
  answer().catch((error: unknown) => response.writeHead(400).end(String(error)))
})

const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ url: base(), certificate: keys.certificate })}\n`)
})
