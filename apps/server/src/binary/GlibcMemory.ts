/**
 * Settings of glibc under which a server gives back what it no longer needs, some 100 MB of what large work takes. glibc
 * reads them before a program runs, so the binary begins again with them, as the same process: that takes 20 ms.
 *
 * Whoever has set one of them is left alone, and so is a process that was handed open files or sockets, which Node.js
 * would close on the way. Elsewhere than on Linux there is nothing to set; other libraries of C than glibc don't read
 * them.
 */
const wanted = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "65536" }

/** Names of an open file, as a shell gives them: `/dev/fd/63`. */
const handed = /\/fd\/\d/

/** Returns where everything is as it should be, or can't be set. */
export const settle = (): void => {
  const { argv, env } = process
  if (process.platform !== "linux" || process.execve === undefined || !argv.includes("serve")) return
  const names = Object.keys(env)
  if (names.some((name) => name.startsWith("MALLOC_") || name === "GLIBC_TUNABLES" || name === "LISTEN_FDS")) return
  if ([...argv, ...Object.values(env)].some((value) => value !== undefined && handed.test(value))) return
  // The file that runs, even where another has taken its place meanwhile.
  process.execve("/proc/self/exe", [process.argv0, ...argv.slice(2)], { ...env, ...wanted })
}
