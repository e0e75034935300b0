/**
 * Settings of glibc under which a server gives back what it no longer needs, some 100 MB of what large work takes. glibc
 * reads them before a program runs, so the binary begins again with them, as the same process: that takes 20 ms.
 *
 * Whoever has set one of them is left alone. Elsewhere than on Linux there is nothing to set; other libraries of C than
 * glibc don't read them.
 */
const wanted = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "65536" }

/** Returns where everything is as it should be. */
export const settle = (): void => {
  if (process.platform !== "linux" || process.execve === undefined || !process.argv.includes("serve")) return
  if (Object.keys(process.env).some((name) => name.startsWith("MALLOC_") || name === "GLIBC_TUNABLES")) return
  // The file that runs, even where another has taken its place meanwhile.
  process.execve("/proc/self/exe", [process.argv0, ...process.argv.slice(2)], { ...process.env, ...wanted })
}
