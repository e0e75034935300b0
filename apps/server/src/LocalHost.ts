/** Hosts of URLs by which a client on this machine reaches a server on this machine. */
import { isIPv6 } from "node:net"

export const localHost = (host: string): string =>
  host === "0.0.0.0" || host === "" ? "127.0.0.1" : host === "::" ? "[::1]" : isIPv6(host) ? `[${host}]` : host

type Address = { readonly host: string; readonly port: number } | { readonly socket: string }

/** Returns the options with which a client of `node:http` connects to a server on this machine. */
export const localAddress = (address: Address) =>
  "socket" in address
    ? { socketPath: address.socket }
    : { host: localHost(address.host).replace(/^\[|\]$/g, ""), port: address.port }
