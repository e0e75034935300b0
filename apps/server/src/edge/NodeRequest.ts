/**
 * A request of Node as a request of Effect, with the address of its client (see `ClientAddress`). Multipart bodies and
 * upgrades are not supported.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as NodeHttpIncomingMessage from "@effect/platform-node/NodeHttpIncomingMessage"
import { Context, Effect, Option, Stream } from "effect"
import * as ByteSize from "effect/ByteSize"
import {
  Cookies,
  type Headers,
  HttpIncomingMessage,
  type HttpMethod,
  HttpServerError,
  HttpServerRequest
} from "effect/http"
import { clientAddress, type TrustedProxies } from "./ClientAddress.ts"

const unsupported = Effect.die(new Error("Multipart bodies and upgrades are not supported"))

export class NodeRequest
  extends NodeHttpIncomingMessage.NodeHttpIncomingMessage<HttpServerError.HttpServerError>
  implements HttpServerRequest.HttpServerRequest
{
  readonly [HttpServerRequest.TypeId]: typeof HttpServerRequest.TypeId = HttpServerRequest.TypeId
  protected override readonly closeOnDone = false
  readonly method: HttpMethod.HttpMethod
  readonly url: string
  private readonly trusted: TrustedProxies
  private readonly ownHeaders: Headers.Headers
  private bytes: ArrayBuffer | undefined

  constructor(source: IncomingMessage, trusted: TrustedProxies) {
    super(source, (cause) => {
      const reason = new HttpServerError.RequestParseError({ request: this, cause })
      return new HttpServerError.HttpServerError({ reason })
    })
    this.method = source.method as HttpMethod.HttpMethod
    this.trusted = trusted
    const url = source.url!
    // The host of an absolute URL takes precedence over the header (RFC 9112 §3.2.2).
    const absolute = url.startsWith("/") ? null : URL.parse(url)
    this.url = absolute === null || absolute.host === "" ? url : absolute.pathname + absolute.search
    const headers = source.headers as unknown as Headers.Headers
    this.ownHeaders = absolute === null || absolute.host === "" ? headers : { ...headers, host: absolute.host }
  }

  override get headers(): Headers.Headers {
    return this.ownHeaders
  }

  override get remoteAddress(): Option.Option<string> {
    return Option.fromNullishOr(clientAddress(this.trusted, this.source.socket.remoteAddress, this.ownHeaders))
  }

  get peerAddress(): Option.Option<string> {
    return Option.fromNullishOr(this.source.socket.remoteAddress)
  }

  get protocol(): undefined {
    return undefined
  }

  get originalUrl(): string {
    return this.source.url!
  }

  get cookies() {
    return Cookies.parseHeader(this.ownHeaders["cookie"] ?? "")
  }

  /** Reads the body without a stream of Node, which takes longer than most handlers. */
  override get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError.HttpServerError> {
    return Effect.withFiber(({ context }) => {
      if (this.bytes !== undefined) return Effect.succeed(this.bytes)
      const maxSize = Context.get(context, HttpIncomingMessage.MaxBodySize)
      return Effect.map(
        this.readBytes(maxSize === undefined ? Infinity : ByteSize.toNumberUnsafe(maxSize)),
        (bytes) => (this.bytes = bytes)
      )
    })
  }

  private readBytes(maxSize: number): Effect.Effect<ArrayBuffer, HttpServerError.HttpServerError> {
    return Effect.callback((resume) => {
      const { source } = this
      const parts: Array<Buffer> = []
      let size = 0
      const stop = () => {
        source.off("data", onData).off("end", onEnd).off("error", onFailure).off("close", onFailure)
      }
      const onFailure = (cause?: unknown) => {
        stop()
        resume(Effect.fail(this.onError(cause ?? new Error("The client disconnected"))))
      }
      const onData = (part: Buffer) => {
        size += part.length
        if (size <= maxSize) return void parts.push(part)
        source.pause()
        onFailure(new Error("The body is too large"))
      }
      const onEnd = () => {
        stop()
        const bytes = new Uint8Array(size)
        let offset = 0
        for (const part of parts) {
          bytes.set(part, offset)
          offset += part.length
        }
        resume(Effect.succeed(bytes.buffer))
      }
      if (source.readableEnded) return onEnd()
      source.on("data", onData).on("end", onEnd).on("error", onFailure).on("close", onFailure)
      return Effect.sync(stop)
    })
  }

  get multipart() {
    return unsupported
  }

  get multipartStream() {
    return Stream.fromEffect(unsupported)
  }

  get upgrade() {
    return unsupported
  }

  upgradeWith() {
    return unsupported
  }

  override toJSON() {
    return { method: this.method, url: this.url }
  }

  modify(): HttpServerRequest.HttpServerRequest {
    throw new Error("A request of the listener can't be modified")
  }
}

/** Bytes of a body that are discarded after a response, so that the connection can be used again. */
const maxDiscarded = 64 * 1024

/** Time in which a client can read a response before its connection is closed (ms). */
const closeTimeout = 2_000

/**
 * Discards the rest of a body that was not read, or closes the connection if much is left. Node would read any amount,
 * and it resets a connection that is to be closed while input is unread, which loses the response.
 */
export const discardUnread = (request: IncomingMessage, response: ServerResponse) => {
  response.prependListener("finish", () => {
    if (request.complete || request.destroyed) return
    if (!response.shouldKeepAlive) return closeLater(request, response)
    let discarded = 0
    request.on("data", (part: Buffer) => {
      discarded += part.length
      if (discarded > maxDiscarded) closeLater(request, response)
    })
    request.resume()
  })
}

/** Fields of Node's classes that decide whether a connection stays open after a response. */
interface Internals {
  _consuming: boolean
  _last: boolean
}

const closeLater = (request: IncomingMessage, response: ServerResponse) => {
  // Node neither reads the rest nor resets the connection.
  ;(request as unknown as Internals)._consuming = true
  ;(response as unknown as Internals)._last = false
  request.pause()
  const socket: Socket = request.socket
  if (socket.destroyed) return
  socket.end()
  const closeTimer = setTimeout(() => socket.destroy(), closeTimeout)
  socket.once("close", () => clearTimeout(closeTimer))
}
