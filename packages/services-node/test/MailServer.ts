/** An SMTP server on loopback with TLS by a certificate of its own, whose replies a test decides. */
import { EventEmitter, once } from "node:events"
import type { AddressInfo, Socket } from "node:net"
import { text } from "node:stream/consumers"
import { Effect } from "effect"
import { generate } from "selfsigned"
import { SMTPServer, type SMTPServerAddress, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"

export interface ReceivedMail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly source: string
  readonly isSecure: boolean
  readonly user: string | undefined
}

/** Reply of a step: nothing to accept, or an error with a code. */
export interface Replies {
  connect?: () => Error | undefined
  recipient?: (address: string) => Error | undefined | "stall"
  data?: () => Error | undefined | "stall" | "drop"
  /** Called after the message was stored, before the server accepts it. */
  accept?: () => "drop" | "stall" | undefined
}

export const reply = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode })

const certificate = Effect.promise(async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    keySize: 2048,
    extensions: [
      { name: "basicConstraints", cA: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" }
        ]
      }
    ]
  })
  return { key, cert }
})

export const password = "correct horse/battery:staple"

export const mailServer = Effect.fnUntraced(function* (options: SMTPServerOptions = {}) {
  const { key, cert } = yield* certificate
  const received: Array<ReceivedMail> = []
  const replies: Replies = {}
  const arrivals = new EventEmitter()
  const sockets = new Set<Socket>()
  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = new SMTPServer({
    key,
    cert,
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onConnect: (_, callback) => callback(replies.connect?.()),
    onAuth: ({ username, password: given }, _, callback) =>
      given === password ? callback(null, { user: username }) : callback(reply(535, "5.7.8 Authentication failed")),
    onRcptTo: ({ address }, _, callback) => {
      const result = replies.recipient?.(address)
      if (result !== "stall") callback(result)
    },
    onData: (stream, session, callback) => {
      void text(stream).then((source) => {
        const result = replies.data?.()
        if (result === "stall") return
        if (result === "drop") return dropAll()
        if (result !== undefined) return callback(result)
        received.push(mailOf(session, source))
        arrivals.emit("mail")
        const accepted = replies.accept?.()
        if (accepted === "drop") return dropAll()
        if (accepted === undefined) callback()
      })
    },
    ...options
  })
  server.on("error", () => {})
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })
  yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
  yield* Effect.addFinalizer(() =>
    Effect.promise(() => {
      dropAll()
      return new Promise<void>((resolve) => server.close(resolve))
    })
  )
  const { port } = server.server.address() as AddressInfo
  /** Resolves when at least `count` mails have arrived at an address. */
  const mailsTo = async (address: string, count = 1): Promise<ReadonlyArray<ReceivedMail>> => {
    for (;;) {
      const mails = received.filter(({ to }) => to.includes(address))
      if (mails.length >= count) return mails
      await once(arrivals, "mail")
    }
  }

  return { port, ca: cert, received, replies, mailsTo }
})

const mailOf = ({ envelope, secure, user }: SMTPServerSession, source: string): ReceivedMail => ({
  from: envelope.mailFrom === false ? "" : (envelope.mailFrom as SMTPServerAddress).address,
  to: envelope.rcptTo.map(({ address }) => address),
  source,
  isSecure: secure,
  user: user as string | undefined
})

/** Returns the source of a mail with soft line breaks and escapes of quoted-printable removed, in ASCII. */
export const textOf = ({ source }: ReceivedMail): string =>
  source
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Returns the fields of the header of a mail, unfolded. */
export const headerOf = (source: string): ReadonlyMap<string, string> => {
  const [head = ""] = source.split(/\r?\n\r?\n/)
  const lines = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  )
}
