/** Mails over SMTP to a real server, which also refuses, stalls and drops. */
import { MailTransport, type OutgoingMail } from "@lectern/core/mail/MailTransport"
import { runs } from "../../core/test/Runs.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { parseAddress, parseMailbox } from "../src/mail/Mailboxes.ts"
import { type NodeMailOptions, NodeMailTransport } from "../src/mail/NodeMailTransport.ts"
import { parseSmtpUrl, type SmtpServer } from "../src/mail/SmtpServer.ts"
import { headerOf, mailServer, password, reply } from "./MailServer.ts"

const mail: OutgoingMail = {
  messageId: "key@docs.example.com",
  to: { name: "Ada Lovelace", address: "ada@example.com" },
  subject: "Einladung zu Grüße & Söhne",
  text: "Hallo\n.\nAda",
  html: "<p>Hallo</p>",
  language: "de",
  unsubscribeUrl: "https://docs.example.com/mail/unsubscribe?user=1&list=comments&signature=abc"
}

type Server = Effect.Success<ReturnType<typeof mailServer>>

const send = (server: Server, options: Partial<NodeMailOptions> & { readonly mail?: Partial<OutgoingMail> } = {}) =>
  MailTransport.use((transport) => transport.send({ ...mail, ...options.mail })).pipe(
    Effect.provide(
      NodeMailTransport.layer({
        server: { host: "localhost", port: server.port, tls: "required" },
        from: { name: "Acme Docs", address: "docs@example.com" },
        ca: server.ca,
        ...options
      })
    )
  )

const failure = (server: Server, options?: Parameters<typeof send>[1]) =>
  Effect.map(Effect.flip(send(server, options)), ({ _tag, message }) => [_tag, message])

const short = { timeout: { milliseconds: 500 } }

describe("A mail over SMTP", () => {
  it.live("arrives over STARTTLS with its header", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      yield* send(server)
      const [received] = server.received
      assert.deepInclude(received, { from: "docs@example.com", to: ["ada@example.com"], isSecure: true })
      const header = headerOf(received!.source)
      assert.strictEqual(header.get("from"), "Acme Docs <docs@example.com>")
      assert.strictEqual(header.get("to"), "Ada Lovelace <ada@example.com>")
      assert.strictEqual(header.get("message-id"), "<key@docs.example.com>")
      assert.strictEqual(header.get("auto-submitted"), "auto-generated")
      assert.strictEqual(header.get("content-language"), "de")
      assert.strictEqual(header.get("list-unsubscribe"), `<${mail.unsubscribeUrl}>`)
      assert.strictEqual(header.get("list-unsubscribe-post"), "List-Unsubscribe=One-Click")
      assert.match(header.get("subject")!, /^=\?UTF-8\?Q\?Einladung_zu_Gr=C3=BC=C3=9Fe/)
      assert.match(header.get("content-type")!, /^multipart\/alternative/)
      assert.isFalse(header.has("bcc") || header.has("x-mailer"))
    })
  )

  it.live("arrives over TLS from the start, with a password", () =>
    Effect.gen(function* () {
      const server = yield* mailServer({ secure: true, authOptional: false })
      const url = `smtps://docs%40example.com:${encodeURIComponent(password)}@localhost:${server.port}`
      yield* send(server, { server: parseSmtpUrl(url)! })
      assert.deepInclude(server.received[0], { isSecure: true, user: "docs@example.com" })
    })
  )

  it.live("is not sent without TLS, or to a server with an unknown certificate", () =>
    Effect.gen(function* () {
      const plain = yield* mailServer({ disabledCommands: ["STARTTLS", "AUTH"] })
      const [tag, message] = yield* failure(plain)
      assert.strictEqual(tag, "MailUnavailable")
      assert.match(message!, /STARTTLS/)
      const server = yield* mailServer()
      assert.match((yield* failure(server, { ca: plain.ca }))[1]!, /self-signed certificate/)
      const direct: SmtpServer = { host: "localhost", port: server.port, tls: "start" }
      assert.strictEqual((yield* failure(server, { server: direct }))[0], "MailUnavailable")
      assert.deepStrictEqual([plain.received, server.received], [[], []])
      yield* send(plain, { server: { host: "127.0.0.1", port: plain.port, tls: "offered" } })
      assert.strictEqual(plain.received[0]?.isSecure, false)
    })
  )

  it.live("reaches addresses in any script", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      yield* send(server, { mail: { to: { name: "عائشة", address: "用户@例え.テスト" } } })
      yield* send(server, { mail: { to: { address: "info@bücher.example" } } })
      assert.deepStrictEqual(
        server.received.map(({ source }) => headerOf(source).get("to")!.replace(/^.*</, "<")),
        ["<用户@例え.テスト>", "info@xn--bcher-kva.example"]
      )
    })
  )

  it.live("is refused by replies with 5xx, and unavailable after replies with 4xx", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      server.replies.recipient = (address) =>
        address.startsWith("gone")
          ? reply(550, "5.1.1 <gone@example.com>: no such user, see https://help.example.net/a?b=secret")
          : address.startsWith("full")
            ? reply(452, "4.2.2 Mailbox full")
            : undefined
      assert.deepStrictEqual(yield* failure(server, { mail: { to: { address: "gone@example.com" } } }), [
        "MailRefused",
        "RCPT TO: 550 5.1.1 <(address)>: no such user, see https://help.example.net/…"
      ])
      assert.deepStrictEqual(yield* failure(server, { mail: { to: { address: "full@example.com" } } }), [
        "MailUnavailable",
        "RCPT TO: 452 4.2.2 Mailbox full"
      ])
      server.replies.data = () => reply(554, "5.7.1 Looks like spam")
      assert.deepStrictEqual(yield* failure(server), ["MailRefused", "DATA: 554 5.7.1 Looks like spam"])
      server.replies.data = () => reply(451, "4.7.1 Greylisted")
      assert.deepStrictEqual(yield* failure(server), ["MailUnavailable", "DATA: 451 4.7.1 Greylisted"])
      server.replies.connect = () => reply(554, "No service for you")
      assert.strictEqual((yield* failure(server))[0], "MailUnavailable")
      assert.deepStrictEqual(server.received, [])
    })
  )

  it.live("is unavailable with a wrong password, and the message has no password", () =>
    Effect.gen(function* () {
      const server = yield* mailServer({ authOptional: false })
      const at = { host: "localhost", port: server.port, tls: "required" } as const
      const wrong = { user: "docs", password: Redacted.make("wrong-secret") }
      const [tag, message] = yield* failure(server, { server: { ...at, credentials: wrong } })
      assert.strictEqual(tag, "MailUnavailable")
      assert.match(message!, /535 5\.7\.8 Authentication failed/)
      assert.notInclude(message!, "wrong-secret")
      assert.strictEqual((yield* failure(server, { server: at }))[0], "MailUnavailable")
    })
  )

  it.live("is unavailable if the server stalls, drops the connection, or does not exist", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      server.replies.recipient = () => "stall"
      assert.deepStrictEqual(yield* failure(server, short), [
        "MailUnavailable",
        "The mail server did not accept the mail within 500ms"
      ])
      assert.strictEqual((yield* failure(server, { replyTimeout: { milliseconds: 200 } }))[0], "MailUnavailable")
      server.replies.recipient = () => undefined
      server.replies.data = () => "drop"
      assert.strictEqual((yield* failure(server))[0], "MailUnavailable")
      server.replies.data = () => "stall"
      assert.strictEqual((yield* failure(server, short))[0], "MailUnavailable")
      const nowhere: SmtpServer = { host: "127.0.0.1", port: 1, tls: "required" }
      assert.match((yield* failure(server, { server: nowhere }))[1]!, /ECONNREFUSED/)
      assert.deepStrictEqual(server.received, [])
    })
  )

  it.live("has one header and one recipient, whatever its texts are", () =>
    Effect.gen(function* () {
      const server = yield* mailServer({ disabledCommands: ["STARTTLS"] })
      const hostile = fc.oneof(
        fc.string({ unit: "binary", maxLength: 60 }),
        fc.constantFrom(
          "a\r\nBcc: victim@example.com",
          "a\nBcc: victim@example.com\n\nbody",
          '" <victim@example.com>, "',
          "victim@example.com, ",
          "=?utf-8?q?=0D=0ABcc=3A_victim?="
        )
      )
      const names = ["auto-submitted", "content-language", "content-type", "date", "from", "list-unsubscribe"]
      const expectedNames = [...names, "list-unsubscribe-post", "message-id", "mime-version", "subject", "to"]
      for (const [name, subject, text] of fc.sample(fc.tuple(hostile, hostile, hostile), runs(20, 300))) {
        server.received.length = 0
        yield* send(server, {
          server: { host: "127.0.0.1", port: server.port, tls: "offered" },
          mail: { to: { name, address: "ada@example.com" }, subject: `Re: ${subject}`, text, html: text }
        })
        const [received] = server.received
        assert.deepStrictEqual(received?.to, ["ada@example.com"])
        const header = headerOf(received!.source)
        assert.deepStrictEqual([...header.keys()].sort(), expectedNames)
        assert.match(header.get("to")!, /(?:^|<)ada@example\.com>?$/)
      }
    })
  )
})

describe("An address", () => {
  it("is valid without quotes, in any script, with its domain in ASCII", () => {
    const valid = {
      "ada@example.com": "ada@example.com",
      "ada.l+x@Example.COM": "ada.l+x@example.com",
      "josé@bücher.example": "josé@xn--bcher-kva.example",
      "root@localhost": "root@localhost",
      "a@[127.0.0.1]": "a@[127.0.0.1]"
    }
    for (const [text, expected] of Object.entries(valid)) assert.strictEqual(parseAddress(text), expected)
    const invalid = [
      "ada",
      "@example.com",
      "ada@",
      "a b@example.com",
      "ada@exa mple.com",
      "ada@example.com, eve@example.com",
      '"ada@x"@example.com',
      "<ada@example.com>",
      "ada@example.com>",
      "ada@example.com\r\nRCPT TO:<eve@example.com>",
      ".ada@example.com",
      "a..b@example.com",
      "ada@-example.com",
      "ada@example..com",
      "ada@example.com/path",
      "ada@[127.0.0.1",
      `${"a".repeat(65)}@example.com`
    ]
    for (const text of invalid) assert.isUndefined(parseAddress(text), text)
  })

  it("never contains a second address, whatever the text is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (local, domain) => {
        const address = parseAddress(`${local}@${domain}`)
        assert.notMatch(address ?? "", /[\s<>,;:"()\\]|@.*@/)
      }),
      runs(500)
    )
  })

  it("can have a name", () => {
    const address = "docs@example.com"
    assert.deepStrictEqual(parseMailbox(address), { address })
    assert.deepStrictEqual(parseMailbox(` <${address}> `), { address })
    assert.deepStrictEqual(parseMailbox(`Acme Docs <${address}>`), { name: "Acme Docs", address })
    assert.deepStrictEqual(parseMailbox(`"Docs, Acme" <${address}>`), { name: "Docs, Acme", address })
    for (const text of ["", "Acme", `Acme ${address}`, `<${address}`, `a <${address}>, b <${address}>`])
      assert.isUndefined(parseMailbox(text), text)
  })
})

describe("The URL of a mail server", () => {
  it("decides about TLS", () => {
    const at = (url: string) => {
      const server = parseSmtpUrl(url)
      return server && `${server.host} ${server.port} ${server.tls} ${server.credentials?.user ?? "-"}`
    }
    assert.strictEqual(at("smtp://mail.example.com"), "mail.example.com 587 required -")
    assert.strictEqual(at("smtps://mail.example.com/"), "mail.example.com 465 start -")
    assert.strictEqual(at("smtp://a%40b:c@mail.example.com:2525"), "mail.example.com 2525 required a@b")
    assert.strictEqual(at("smtp://localhost:25"), "localhost 25 offered -")
    assert.strictEqual(at("smtp://a:b@[::1]:25"), "::1 25 offered a")
    assert.strictEqual(at("smtp://relay:25?tls=off"), "relay 25 offered -")
    for (const url of [
      "",
      "http://mail.example.com",
      "smtp://",
      "smtp://a:b@relay?tls=off",
      "smtp://user@mail.example.com",
      "smtp://:b@mail.example.com",
      "smtp://mail.example.com:0",
      "smtp://mail.example.com:99999",
      "smtps://mail.example.com?tls=off",
      "smtp://mail.example.com/path",
      "smtp://mail.example.com?pool=true",
      "smtp://%zz:b@mail.example.com"
    ]) {
      assert.isUndefined(parseSmtpUrl(url), url)
    }
  })
})
