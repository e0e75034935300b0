/** Host by which a client on this machine reaches a server that listens on this one. */
import { isIPv6 } from "node:net"

export const localHost = (host: string): string =>
  host === "0.0.0.0" || host === "" ? "127.0.0.1" : host === "::" ? "[::1]" : isIPv6(host) ? `[${host}]` : host

type Address = { readonly host: string; readonly port: number } | { readonly socket: string }

/** The same for a client of `node:http`. */
export const localAddress = (at: Address) =>
  "socket" in at ? { socketPath: at.socket } : { host: localHost(at.host).replace(/^\[|\]$/g, ""), port: at.port }
