/**
 * Sets environment variables of glibc's memory allocator. With them, a server returns about 100 MB more to the operating
 * system after a large task. glibc reads the variables only when a program starts. So the binary replaces itself with a
 * new run of itself (`execve`), which takes 20 ms.
 *
 * Skipped if one of the variables is set, or if the process inherited open files or sockets, which Node.js would close.
 * Only for Linux. Other C libraries ignore the variables.
 */
const allocatorVariables = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "65536" }

/** Path of an inherited file, such as `/dev/fd/63` of a shell. */
const inheritedFile = /\/fd\/\d/

/** Executes the binary again with the variables. Returns only if they are set or do not apply. */
export const setVariables = (): void => {
  const { argv, env } = process
  if (process.platform !== "linux" || process.execve === undefined || !argv.includes("serve")) return
  const names = Object.keys(env)
  if (names.some((name) => name.startsWith("MALLOC_") || name === "GLIBC_TUNABLES" || name === "LISTEN_FDS")) return
  if ([...argv, ...Object.values(env)].some((value) => value !== undefined && inheritedFile.test(value))) return
  // `/proc/self/exe` is the running file, even if the file at its path was replaced since.
  process.execve("/proc/self/exe", [process.argv0, ...argv.slice(2)], { ...env, ...allocatorVariables })
}
