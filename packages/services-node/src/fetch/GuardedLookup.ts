/** Resolves names for connections that callers make the server open (see `GuardedRequest`). */
import { lookup as resolve } from "node:dns"
import type { LookupFunction } from "node:net"
import type { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { FetchFailed } from "@lectern/core/fetch/GuardedFetch"

/**
 * Returns a lookup function for connections. It fails if any address of the name is not allowed. If `trusted`, all
 * addresses are allowed.
 */
export const guardedLookup =
  (allowed: AllowedHosts, trusted: boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      if (!trusted && !addresses.every(({ address }) => allowed.hasAddress(address))) {
        return callback(
          new FetchFailed({
            reason: "refused",
            message: `${hostname.slice(0, 100)} leads to a private network, which this server does not fetch from`
          }),
          []
        )
      }
      const [first] = addresses
      if (options.all === true || first === undefined) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
