/**
 * Sockets that systemd opened for this process (socket activation): the first is the interface's, the second
 * that of integrations. Calls that come while the server is not there, in a restart for instance, wait in them.
 */

/** Descriptors of what was passed begin here. */
const first = 3

/** The interface, and integrations. */
const most = 2

/** Descriptors, in the order of the unit file; none where they were meant for another process. */
export const take = (): ReadonlyArray<number> => {
  const { LISTEN_FDS, LISTEN_PID } = process.env
  const count = Number(LISTEN_FDS)
  const isMeant = Number(LISTEN_PID) === process.pid && Number.isInteger(count) && count > 0
  // Programs that this one starts are not meant.
  for (const name of ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]) delete process.env[name]
  return isMeant ? Array.from({ length: Math.min(count, most) }, (_, i) => first + i) : []
}
